// course.js shows the lessons of a course in a frame, one after the other, and tells the learning platform how far its
// user is: at every step, and when the page is left or hidden. See scorm.js for the platform's side.
(() => {
  "use strict";

  const { open, heard, Progress } = globalThis.flockscopeSCORM;
  const course = JSON.parse(document.getElementById("course").textContent);
  const numbers = course.lessons.map((l) => l.number);
  const chinese = (course.lang || navigator.language).toLowerCase().startsWith("zh");
  const say = (english, own) => (chinese ? own : english);
  const titleOf = (l) => (chinese && l.zh) || l.title;

  const session = open(window, course.scorm);
  const progress = new Progress(numbers, session?.text);
  const main = document.querySelector("main");
  let frame = null;

  // show opens a lesson. The frame is a new one each time, so that it adds nothing to the history of the platform's page.
  // It stores nothing itself: on a shared computer the next user would find the answers.
  function show(number) {
    progress.at = number;
    frame = document.createElement("iframe");
    frame.title = "Flockscope";
    frame.allow = "fullscreen; clipboard-write";
    const query = new URLSearchParams({ lesson: number, hide: "lessons", marks: progress.marks });
    if (course.lang) query.set("lang", course.lang);
    if (location.origin !== "null") query.set("origin", location.origin);
    frame.src = "page/index.html?" + query;
    main.replaceChildren(frame);
    render();
    store();
  }

  // after returns the lesson of the course behind another one; undefined behind the last.
  const after = (number) => numbers[numbers.indexOf(number) + 1];

  addEventListener("message", (event) => {
    const m = heard(event, frame.contentWindow, location.origin);
    if (!m) return;
    const known = progress.hear(m);
    // The page's button "Next lesson" goes on by numbers, and the course by its own order.
    const next = m.lesson === progress.at + 1 || !known ? after(progress.at) ?? progress.at : m.lesson;
    if (next !== m.lesson) {
      show(next);
      return;
    }
    progress.at = next;
    render();
    store();
  });

  // store tells the platform how far the user is.
  function store() {
    if (!session) return;
    session.tell(progress.report(course.pass));
    if (session.problem) render();
  }

  const nav = document.getElementById("lessons");
  nav.setAttribute("aria-label", say("Lessons", "课程"));
  const buttons = course.lessons.map((l) => {
    const button = document.createElement("button");
    button.type = "button";
    button.addEventListener("click", () => show(l.number));
    nav.append(button);
    return button;
  });

  function render() {
    course.lessons.forEach((l, i) => {
      const { passed } = progress.lessons.get(l.number);
      const name = say(`Lesson ${l.number}: ${titleOf(l)}`, `第 ${l.number} 课：${titleOf(l)}`);
      const button = buttons[i];
      button.textContent = passed ? `${l.number} ✓` : String(l.number);
      button.title = passed ? say(`${name}, done`, `${name}，已完成`) : name;
      button.setAttribute("aria-label", button.title);
      if (l.number === progress.at) button.setAttribute("aria-current", "step");
      else button.removeAttribute("aria-current");
    });
    const status = document.getElementById("progress"), done = progress.passedLessons, all = numbers.length;
    const words = [say(`${done} of ${all} done, score ${progress.score} of 100.`, `已完成 ${done}/${all} 课，得分 ${progress.score}/100。`)];
    if (!session) words.push(say("There is no learning platform around this page, so nothing is recorded.", "本页不在学习平台中，因此不会记录。"));
    else if (session.problem) words.push(say(`The platform did not store this (error ${session.problem}). The next step tries again; if it fails, tell your teacher.`,
      `平台没有保存（错误 ${session.problem}）。下一步会再试；如果仍然失败，请告诉老师。`));
    else if (done === all) words.push(say("That was the course. You can close this page.", "课程已完成，可以关闭本页。"));
    status.textContent = words.join(" ");
    status.classList.toggle("problem", Boolean(session?.problem) || !session);
  }

  // A page that is left or hidden may not come back. unload is no event to rely on: phones never send it, and a page that
  // listens to it is not kept for the way back.
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "hidden") store();
  });
  addEventListener("pagehide", () => {
    store();
    session?.end();
  });
  addEventListener("pageshow", (event) => {
    if (event.persisted) location.reload(); // the session has ended
  });

  show(progress.at);
})();
