// Tests of scorm.js under node: node --test scorm_test.js
"use strict";
const test = require("node:test");
const assert = require("node:assert/strict");
require("../scorm.js");
const { find, open, heard, Progress, maxText } = globalThis.flockscopeSCORM;

// A platform that keeps what it is told; refuse names a value that it does not take.
function platform(version, data = {}, refuse = "") {
  const calls = [];
  const is2004 = version === "2004";
  let code = "0";
  const api = {
    [is2004 ? "Initialize" : "LMSInitialize"]: () => (calls.push("begin"), "true"),
    [is2004 ? "GetValue" : "LMSGetValue"]: (name) => data[name] ?? "",
    [is2004 ? "SetValue" : "LMSSetValue"]: (name, value) => {
      assert.equal(typeof value, "string");
      code = name === refuse ? "405" : "0";
      if (name === refuse) return "false";
      data[name] = value;
      return "true";
    },
    [is2004 ? "Commit" : "LMSCommit"]: () => (calls.push("commit"), "true"),
    [is2004 ? "Terminate" : "LMSFinish"]: () => (calls.push("end"), "true"),
    [is2004 ? "GetLastError" : "LMSGetLastError"]: () => code,
  };
  return { api, data, calls, window: { [is2004 ? "API_1484_11" : "API"]: api } };
}

// nested returns a window with others around it, the last of which is given.
function nested(depth, top) {
  top.parent ??= top;
  for (; depth > 0; depth--) top = { parent: top };
  return top;
}

// foreign is a window of another origin: it has neighbours, and all else throws.
function foreign(neighbours) {
  return new Proxy({}, { get(_, key) {
    if (key in neighbours) return neighbours[key];
    if (key === "opener") return null;
    throw new Error("SecurityError");
  } });
}

test("the interface is found in a window, around it, behind foreign ones, and in openers", () => {
  for (const version of ["1.2", "2004"]) {
    const { window, api } = platform(version);
    const other = platform(version === "1.2" ? "2004" : "1.2");
    for (const [what, start] of Object.entries({
      "the window": nested(0, { ...window }),
      "four frames up": nested(4, { ...window }),
      "behind a foreign frame": { parent: foreign({ parent: nested(1, { ...window }) }) },
      "the opener": nested(2, { opener: nested(0, { ...window }) }),
      "a frame around the opener": nested(1, { opener: nested(3, { ...window }) }),
      "the opener of the opener": nested(1, { opener: nested(1, { opener: nested(0, { ...window }) }) }),
      "beside the other version": nested(1, { ...window, ...other.window }),
      "above a thing of the same name": { API: {}, API_1484_11: "x", parent: nested(0, { ...window }) },
    })) {
      assert.deepEqual({ what, ...find(start, version) }, { what, api, version });
    }
    assert.equal(find(nested(0, { ...window }), version === "1.2" ? "2004" : "1.2").version, version, "the other version is taken if it is the only one");
  }
  const a = nested(2, {}), b = nested(1, { opener: a });
  a.opener = b; // a circle
  assert.equal(find(b, "1.2"), null);
  assert.equal(open(b, "1.2"), null);
});

const report = { text: "t", place: "3", score: 67, share: 0.5, completed: false, passed: false };

test("a report in SCORM 1.2", () => {
  let ms = 0;
  const { window, data, calls } = platform("1.2");
  const s = open(nested(1, window), "1.2", () => ms);
  ms = ((12 * 60 + 3) * 60 + 9.9) * 1000;
  s.tell(report);
  assert.deepEqual(data, {
    "cmi.suspend_data": "t", "cmi.core.lesson_location": "3", "cmi.core.score.min": "0", "cmi.core.score.max": "100", "cmi.core.score.raw": "67",
    "cmi.core.lesson_status": "incomplete", "cmi.core.session_time": "0012:03:09", "cmi.core.exit": "suspend",
  });
  s.tell({ ...report, completed: true });
  assert.equal(data["cmi.core.lesson_status"], "failed");
  s.tell({ ...report, completed: true, passed: true });
  assert.equal(data["cmi.core.lesson_status"], "passed");
  s.end();
  s.end();
  s.tell(report);
  assert.deepEqual(calls, ["begin", "commit", "commit", "commit", "end"]);
  assert.equal(s.problem, "");
});

test("a report in SCORM 2004", () => {
  let ms = 0;
  const { window, data } = platform("2004");
  const s = open(nested(1, window), "2004", () => ms);
  ms = 61_500;
  s.tell(report);
  assert.deepEqual(data, {
    "cmi.suspend_data": "t", "cmi.location": "3", "cmi.score.min": "0", "cmi.score.max": "100", "cmi.score.raw": "67", "cmi.score.scaled": "0.67",
    "cmi.progress_measure": "0.5", "cmi.completion_status": "incomplete", "cmi.success_status": "unknown", "cmi.session_time": "PT0H1M1S", "cmi.exit": "suspend",
  });
  s.tell({ ...report, completed: true });
  assert.deepEqual([data["cmi.completion_status"], data["cmi.success_status"]], ["completed", "failed"]);
  s.tell({ ...report, completed: true, passed: true });
  assert.equal(data["cmi.success_status"], "passed");
});

test("what is passed stays passed, and a score is not lowered", () => {
  const twelve = platform("1.2", { "cmi.core.lesson_status": "passed", "cmi.core.score.raw": "90" });
  open(nested(0, twelve.window), "1.2").tell({ ...report, score: 10 });
  assert.deepEqual([twelve.data["cmi.core.lesson_status"], twelve.data["cmi.core.score.raw"]], ["passed", "90"]);
  const newer = platform("2004", { "cmi.completion_status": "completed", "cmi.success_status": "passed", "cmi.score.raw": "90" });
  open(nested(0, newer.window), "2004").tell({ ...report, score: 10 });
  assert.deepEqual([newer.data["cmi.completion_status"], newer.data["cmi.success_status"], newer.data["cmi.score.scaled"]], ["completed", "passed", "0.9"]);
});

test("a platform that does not store is a problem, and not for ever", () => {
  const { window, api } = platform("1.2", {}, "cmi.suspend_data");
  const s = open(nested(0, window), "1.2");
  s.tell(report);
  assert.equal(s.problem, "405 cmi.suspend_data");
  api.LMSSetValue = () => "true";
  s.tell(report);
  assert.equal(s.problem, "");
  api.LMSCommit = () => { throw new Error("gone"); };
  const { warn } = console;
  console.warn = () => {};
  s.tell(report);
  console.warn = warn;
  assert.match(s.problem, /LMSCommit/);
});

const message = (lesson, more) => ({ type: "flockscope/lesson", lesson, step: 0, shown: 0, answered: false, right: false, passed: false, marks: "", ...more });

test("points are the first answer and the user's own steps, and stay", () => {
  const p = new Progress([3, 1]);
  const after = (m) => (p.hear(m), [p.score, p.passedLessons]);
  assert.deepEqual(after(message(3)), [0, 0]);
  assert.deepEqual(after(message(3, { answered: true, right: false })), [0, 0]);
  assert.deepEqual(after(message(3, { answered: true, right: true })), [0, 0], "a second answer");
  assert.deepEqual(after(message(3, { answered: true, step: 1 })), [17, 0]);
  assert.deepEqual(after(message(3, { answered: true, step: 2, shown: 1, passed: true, marks: "3,1,113;" })), [17, 1]);
  assert.deepEqual(after(message(3)), [17, 1], "deleted answers");
  assert.deepEqual(after(message(1, { answered: true, right: true, step: 2, passed: true })), [67, 2]);
  assert.deepEqual([p.report(67).passed, p.report(68).passed, p.report(68).completed], [true, false, true]);
  for (const bad of [message(2), message("3"), message(3, { step: 3 }), message(3, { step: 1, shown: 2 }), message(3, { step: 0.5 }), message(NaN)]) {
    assert.equal(p.hear(bad), false, JSON.stringify(bad));
  }
  const q = new Progress([3, 1], p.text);
  assert.deepEqual([q.text, q.score, q.passedLessons, q.marks], [p.text, 67, 2, ""]);
});

test("a text that is none, or of another course, is passed over", () => {
  for (const text of ["", "x", "flockscope2/3//3.121", "flockscope1", "flockscope1/9/<b>/9.121,x", "flockscope1/3/" + "1,1,000;".repeat(5000) + "/", "null"]) {
    const p = new Progress([3, 1], text);
    assert.deepEqual([p.at, p.marks, p.score], [3, "", 0], text.slice(0, 40));
  }
  const p = new Progress([5, 3], "flockscope1/3/3,1,113;1,2,000;/3.121,1.111");
  assert.deepEqual([p.at, p.marks, p.score, p.passedLessons], [3, "3,1,113;1,2,000;", 50, 1]);
});

test("4 097 characters never happen", () => {
  assert.equal(maxText, 4096);
  let seed = 1, longest = 0;
  const random = (n) => (seed = (seed * 48271) % 2147483647) % n;
  for (let round = 0; round < 300; round++) {
    const numbers = Array.from({ length: 1 + random(99) }, (_, i) => i + 1);
    const p = new Progress(numbers);
    for (let n = 0; n < 200; n++) {
      const marks = ["1,-2,133;", "99,10,333;", "x", "/", "é", "1,1,000;\n"][random(6)].repeat(random(400));
      p.hear(message(1 + random(110), { marks, step: random(4), shown: random(3), answered: random(2) === 1, right: random(2) === 1, passed: random(2) === 1 }));
      const text = p.text;
      longest = Math.max(longest, text.length);
      assert.ok(text.length <= maxText && /^[\w/,.;-]*$/.test(text), text);
    }
    assert.equal(new Progress(numbers, p.text).text, p.text);
  }
  assert.ok(longest > 2000, `only ${longest} characters were tried`);
  const p = new Progress([1]);
  p.marks = "1,1,000;".repeat(1000); // whatever comes to be stored later
  assert.ok(p.text.length <= maxText);
});

test("a forged message is refused", () => {
  const frame = {}, origin = "https://school.example", data = message(3, { passed: true });
  assert.equal(heard({ source: frame, origin, data }, frame, origin), data);
  for (const [what, event] of Object.entries({
    "another origin": { source: frame, origin: "https://evil.example", data },
    "no origin": { source: frame, origin: "null", data },
    "another window": { source: {}, origin, data },
    "no window": { source: null, origin, data },
    "another type": { source: frame, origin, data: { ...data, type: "flockscope/state" } },
    "a text": { source: frame, origin, data: "flockscope/lesson" },
    "nothing": { source: frame, origin, data: null },
  })) {
    assert.equal(heard(event, frame, origin), null, what);
  }
});
