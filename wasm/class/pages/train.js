// train.js is a client of federated learning: it holds drawings, trains a softmax regression on them, and answers tasks of
// the server. The messages are in ../wire.go, the definitions of loss and gradient in package model. Nothing here sends
// anything.

export const version = 1;

const taskHead = 15;
const picksBest = 4; // a flag of tasks; with any flag all losses are sent

// A set of drawings is { x, y, n }: n pictures, one after the other, with pixels from 0 to 1, and their classes.

// outputs sets p, one number per class, to the probabilities of the classes of drawing i, and returns its loss.
function outputs(p, params, set, i, classes) {
  const inputs = set.x.length / set.n;
  for (let k = 0; k < classes; k++) p[k] = params[inputs * classes + k];
  for (let j = 0; j < inputs; j++) {
    const x = set.x[i * inputs + j];
    if (x !== 0) for (let k = 0; k < classes; k++) p[k] += x * params[j * classes + k];
  }
  let most = -Infinity, sum = 0;
  for (let k = 0; k < classes; k++) most = Math.max(most, p[k]);
  const own = p[set.y[i]] - most;
  for (let k = 0; k < classes; k++) sum += p[k] = Math.exp(p[k] - most);
  for (let k = 0; k < classes; k++) p[k] /= sum;
  return Math.log(sum) - own;
}

// losses returns the loss of a model on each drawing.
export function losses(params, set, classes) {
  const p = new Float64Array(classes), out = new Float64Array(set.n);
  for (let i = 0; i < set.n; i++) out[i] = outputs(p, params, set, i, classes);
  return out;
}

const mean = (list) => list.reduce((a, b) => a + b, 0) / list.length;

// gradient returns the gradient of the mean loss.
export function gradient(params, set, classes) {
  const inputs = set.x.length / set.n, p = new Float64Array(classes), sum = new Float64Array(params.length);
  for (let i = 0; i < set.n; i++) {
    outputs(p, params, set, i, classes);
    p[set.y[i]] -= 1;
    for (let j = 0; j < inputs; j++) {
      const x = set.x[i * inputs + j];
      if (x !== 0) for (let k = 0; k < classes; k++) sum[j * classes + k] += x * p[k];
    }
    for (let k = 0; k < classes; k++) sum[inputs * classes + k] += p[k];
  }
  return Float32Array.from(sum, (g) => g / set.n);
}

// confusion counts drawings by class (row) and predicted class (column). The first of equal classes wins.
export function confusion(params, set, classes) {
  const p = new Float64Array(classes), out = new Uint32Array(classes * classes);
  for (let i = 0; i < set.n; i++) {
    outputs(p, params, set, i, classes);
    out[set.y[i] * classes + p.indexOf(Math.max(...p))]++;
  }
  return out;
}

// normal returns a normal random number, from the browser's own source.
function normal() {
  const [a, b] = crypto.getRandomValues(new Uint32Array(2));
  return Math.sqrt(-2 * Math.log((a + 1) / 4294967297)) * Math.cos(2 * Math.PI * b / 4294967296);
}

// update returns what a client sends of a model: its gradient, or what training for some epochs subtracts from it;
// clipped, and with noise, if the task says so.
function update(params, set, task) {
  let out;
  if (task.epochs === 0) {
    out = gradient(params, set, task.classes);
  } else {
    const trained = Float32Array.from(params);
    for (let e = 0; e < task.epochs; e++) {
      const g = gradient(trained, set, task.classes);
      for (let j = 0; j < g.length; j++) trained[j] -= task.rate * g[j];
    }
    out = trained.map((t, j) => params[j] - t);
  }
  if (task.clip > 0) {
    const length = Math.hypot(...out), shrink = length > task.clip ? task.clip / length : 1;
    for (let j = 0; j < out.length; j++) out[j] = out[j] * shrink + (task.noise > 0 ? task.noise * task.clip * normal() : 0);
  }
  return out;
}

// lead returns the standard error of the lead of the best model over the next one on the drawings.
function leadError(all, best) {
  const n = all[best].length, means = all.map(mean);
  let next = -1;
  means.forEach((m, k) => { if (k !== best && (next < 0 || m < means[next])) next = k; });
  if (next < 0 || n < 2) return 0;
  const d = Array.from(all[best], (l, i) => all[next][i] - l), m = mean(d);
  return Math.sqrt(d.reduce((s, v) => s + (v - m) ** 2, 0) / (n - 1) / n);
}

// read reads a task.
export function read(buffer, classes) {
  const u = new Uint32Array(buffer, 0, taskHead), f = new Float32Array(buffer, 0, taskHead);
  const task = { version: u[0], job: u[1], lane: u[2], round: u[3], flags: u[4], scored: u[5], feature: u[6], size: u[8],
    epochs: u[9], rate: f[10], clip: f[11], noise: f[12], models: [], classes };
  const count = u[7];
  let at = 4 * taskHead;
  const list = (kind, n) => {
    const out = new kind(buffer, at, n);
    at += 4 * n;
    return out;
  };
  task.updates = list(Uint32Array, u[13]);
  task.coordinates = list(Uint32Array, u[14]);
  for (const follows of list(Uint32Array, count)) task.models.push(follows === 1);
  task.models = task.models.map((follows) => follows ? list(Float32Array, task.size) : null);
  return task;
}

// answer returns the reply to a task, from the drawings to train on and the held-out ones.
export function answer(buffer, train, held, classes) {
  const task = read(buffer, classes), parts = [];
  if (task.version !== version) return null; // the page is of another version than the server
  parts.push(Uint32Array.of(version, task.job));
  if (task.scored > 0) {
    const params = task.models[task.scored - 1];
    parts.push(Float32Array.of(mean(losses(params, held, classes))), confusion(params, held, classes));
  } else {
    let picked = 0;
    if (task.flags !== 0) {
      const all = task.models.map((params) => losses(params, train, classes)), means = Float32Array.from(all, mean);
      picked = means.indexOf(Math.min(...means));
      parts.push(means, Uint32Array.of(picked), Float32Array.of(leadError(all, picked)));
    }
    if (task.flags & picksBest) parts.push(update(task.models[picked], train, task));
    for (const k of task.updates) parts.push(update(task.models[k], train, task));
    if (task.feature > 0) {
      const whole = update(task.models[task.feature - 1], train, task);
      parts.push(task.coordinates.length ? Float32Array.from(task.coordinates, (j) => whole[j]) : whole);
    }
  }
  const out = new Uint8Array(parts.reduce((n, p) => n + p.byteLength, 0));
  let at = 0;
  for (const p of parts) {
    out.set(new Uint8Array(p.buffer, p.byteOffset, p.byteLength), at);
    at += p.byteLength;
  }
  return out;
}
