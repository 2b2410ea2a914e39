// scorm.js is the part of a course that knows SCORM: it finds the platform's interface, speaks the dialect of its
// version, and writes and reads what is stored between sessions. It touches no document, so that tests run it under node.
(() => {
  "use strict";

  // SCORM 1.2 stores as many characters (cmi.suspend_data is a CMIString4096), SCORM 2004 more.
  const maxText = 4096;

  const two = (n) => String(n).padStart(2, "0");
  const clock = (seconds) => [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, Math.floor(seconds) % 60];

  // What the two versions call things. values lists what a report sets; done and passed are what was there before, since
  // a course that is passed stays passed.
  const dialects = {
    "1.2": {
      object: "API", begin: "LMSInitialize", get: "LMSGetValue", set: "LMSSetValue", commit: "LMSCommit", end: "LMSFinish", error: "LMSGetLastError",
      again: "101", score: "cmi.core.score.raw", completion: "cmi.core.lesson_status", success: "cmi.core.lesson_status",
      values(r, before) {
        const [h, m, s] = clock(r.seconds);
        const status = r.completed ? (r.passed ? "passed" : "failed") : "incomplete";
        return [
          ["cmi.core.lesson_location", r.place], ["cmi.core.score.min", "0"], ["cmi.core.score.max", "100"], ["cmi.core.score.raw", String(r.score)],
          ...(before.success === "passed" ? [] : [["cmi.core.lesson_status", status]]),
          ["cmi.core.session_time", `${String(Math.min(h, 9999)).padStart(4, "0")}:${two(m)}:${two(s)}`], ["cmi.core.exit", "suspend"],
        ];
      },
    },
    "2004": {
      object: "API_1484_11", begin: "Initialize", get: "GetValue", set: "SetValue", commit: "Commit", end: "Terminate", error: "GetLastError",
      again: "103", score: "cmi.score.raw", completion: "cmi.completion_status", success: "cmi.success_status",
      values(r, before) {
        const [h, m, s] = clock(r.seconds);
        return [
          ["cmi.location", r.place], ["cmi.score.min", "0"], ["cmi.score.max", "100"], ["cmi.score.raw", String(r.score)], ["cmi.score.scaled", String(r.score / 100)],
          ["cmi.progress_measure", String(Math.round(100 * r.share) / 100)],
          ...(before.completion === "completed" ? [] : [["cmi.completion_status", r.completed ? "completed" : "incomplete"]]),
          ...(before.success === "passed" ? [] : [["cmi.success_status", r.completed ? (r.passed ? "passed" : "failed") : "unknown"]]),
          ["cmi.session_time", `PT${h}H${m}M${s}S`], ["cmi.exit", "suspend"],
        ];
      },
    },
  };

  // find looks for the platform's interface in a window, in the windows around it, and in those that opened one of these.
  // A window of another origin hides its interface, but not what is around it. preferred is the version of the package.
  function find(start, preferred) {
    const versions = Object.keys(dialects).sort((v) => (v === preferred ? -1 : 1));
    const seen = new Set(), starts = [start];
    for (const first of starts) {
      for (let w = first; w && !seen.has(w); w = w.parent) {
        seen.add(w);
        for (const version of versions) {
          try {
            const api = w[dialects[version].object];
            if (api && typeof api[dialects[version].begin] === "function") return { api, version };
          } catch {
            // of another origin
          }
        }
        if (w.opener) starts.push(w.opener);
      }
    }
    return null;
  }

  // open begins a session with the platform, and returns null if there is none. now returns the time in ms.
  //
  //   session.text      what the last session stored, "" for nothing
  //   session.problem   the platform's error code of what failed last, "" if nothing did
  //   session.tell(r)   stores a report: text, place, score, share of lessons passed, completed, passed
  //   session.end()     ends the session
  function open(start, preferred, now = Date.now) {
    const found = find(start, preferred);
    if (!found) return null;
    const { api, version } = found, words = dialects[version];
    const call = (what, ...args) => {
      try {
        return String(api[words[what]](...args));
      } catch (error) {
        console.warn("Flockscope: the platform's " + words[what] + " fails.", error);
        return "";
      }
    };
    let problem = "", ended = false;
    const begun = now();
    const begins = call("begin", "");
    if (begins !== "true" && call("error") !== words.again) problem = call("error") || words.begin;
    const before = { completion: call("get", words.completion), success: call("get", words.success), score: Number(call("get", words.score)) || 0 };
    return {
      version,
      text: call("get", "cmi.suspend_data"),
      get problem() { return problem; },
      tell(r) {
        if (ended) return;
        problem = "";
        const report = { ...r, score: Math.max(r.score, before.score), seconds: Math.max(0, (now() - begun) / 1000) };
        for (const [name, value] of [["cmi.suspend_data", r.text], ...words.values(report, before)]) {
          if (call("set", name, value) !== "true") problem ||= `${call("error")} ${name}`;
        }
        if (call("commit", "") !== "true") problem ||= `${call("error")} ${words.commit}`;
      },
      end() {
        if (!ended) call("end", "");
        ended = true;
      },
    };
  }

  const format = "flockscope1";
  const marksForm = /^(\d{1,2},-?\d{1,2},\d{3};)*$/; // see LessonProgress.Encode in ui/page
  const maxMarks = 2000;
  const steps = 2; // of a lesson
  const within = (n, low, high) => Number.isInteger(n) && n >= low && n <= high;

  // Progress is how far a user is in a course: the lesson that is open, the marks that the page resumes from, and what
  // counts. A lesson counts three points: its question, the first time that it is answered, and each step that the user
  // does without being shown how. Points are not taken back.
  class Progress {
    // numbers are those of the lessons, in the order of the course.
    constructor(numbers, text = "") {
      this.numbers = numbers;
      this.at = numbers[0];
      this.marks = "";
      this.lessons = new Map(numbers.map((n) => [n, { right: null, own: 0, passed: false }]));
      this.#read(text);
    }

    // #read reads what text wrote, and passes over what it did not.
    #read(text) {
      const [name, at, marks, points] = text.split("/");
      if (name !== format) return;
      if (this.lessons.has(Number(at))) this.at = Number(at);
      if (marks?.length <= maxMarks && marksForm.test(marks)) this.marks = marks;
      for (const [, n, right, own, passed] of (points ?? "").matchAll(/(\d{1,2})\.([-01])([012])([01])/g)) {
        if (this.lessons.has(Number(n))) this.lessons.set(Number(n), { right: right === "-" ? null : right === "1", own: Number(own), passed: passed === "1" });
      }
    }

    // text is what is stored: at most 4 096 characters, none of which platforms are known to change.
    get text() {
      const points = this.numbers.map((n) => {
        const { right, own, passed } = this.lessons.get(n);
        return `${n}.${right === null ? "-" : Number(right)}${own}${Number(passed)}`;
      }).join(",");
      const text = [format, this.at, this.marks, points].join("/");
      return text.length <= maxText ? text : [format, this.at, "", points].join("/").slice(0, maxText);
    }

    // hear takes a message flockscope/lesson. It reports whether the message is one of a lesson of this course.
    hear(m) {
      const l = this.lessons.get(m.lesson);
      if (!l || !within(m.step, 0, steps) || !within(m.shown, 0, m.step)) return false;
      if (typeof m.marks === "string" && m.marks.length <= maxMarks && marksForm.test(m.marks)) this.marks = m.marks;
      if (m.answered === true) l.right ??= m.right === true;
      l.own = Math.max(l.own, m.step - m.shown);
      l.passed ||= m.passed === true;
      return true;
    }

    get passedLessons() { return [...this.lessons.values()].filter((l) => l.passed).length; }

    // score is from 0 to 100.
    get score() {
      const points = [...this.lessons.values()].reduce((sum, { right, own }) => sum + Number(right) + own, 0);
      return Math.round(100 * points / ((1 + steps) * this.numbers.length));
    }

    // report is what a session stores. pass is the score that passes.
    report(pass) {
      const share = this.passedLessons / this.numbers.length, score = this.score;
      return { text: this.text, place: String(this.at), score, share, completed: share === 1, passed: share === 1 && score >= pass };
    }
  }

  // heard returns the message of an event if it is about a lesson and comes from the frame of the course, else null. Any
  // window may send messages, so both the window and its origin must be right.
  function heard(event, frame, origin) {
    const { source, origin: from, data } = event;
    return source === frame && from === origin && data?.type === "flockscope/lesson" ? data : null;
  }

  globalThis.flockscopeSCORM = { find, open, heard, Progress, maxText };
})();
