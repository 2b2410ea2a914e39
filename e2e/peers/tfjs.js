// tfjs.js is a worker that trains a network with TensorFlow.js. A message
// { backend, model, way, steps, rows } is answered with { ms }, the time of one step
// on so many samples, or without steps with { loss }, the loss after two steps from
// the start that all peers share. The way is "plain", as people write it, or "tuned"
// by hand.
"use strict";
importScripts(
  "tfjs/tfjs/dist/tf.min.js",
  "tfjs/tfjs-backend-wasm/dist/tf-backend-wasm.min.js",
  "tfjs_mlp.js",
  "tfjs_cnn.js",
  "tfjs_net.js",
);

const rows = 64;

// uniform returns numbers within ±bound, the same in every language: Numerical
// Recipes' generator, whose state goes on from call to call.
function generator() {
  let state = 1;
  return (count, bound) => Float32Array.from({ length: count }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (2 * state / 2 ** 32 - 1) * bound;
  });
}

// oneHot gives row i the class i mod 10.
const oneHot = () => tf.oneHot(tf.tensor1d(Array.from({ length: rows }, (_, i) => i % 10), "int32"), 10);

const makers = { mlp, cnn, ...nets };
const maker = (model) => (makers[model] ??= net(model.replace("layer:", ""), true));
const trainers = {};
let ready;

async function run({ backend, model, way, steps, rows }) {
  tf.wasm?.setWasmPaths(new URL("tfjs/tfjs-backend-wasm/dist/", location).href);
  ready ??= tf.setBackend(backend);
  if (!await ready) throw new Error(`no backend ${backend}`);
  if (!steps) {
    const { step, loss } = maker(model)(generator(), way, rows);
    for (let i = 0; i < 2; i++) tf.tidy(() => step(0.1));
    return { loss: loss().dataSync()[0] };
  }
  const { step } = trainers[model + way] ??= maker(model)(generator(), way, rows);
  const begin = performance.now();
  for (let i = 0; i < steps; i++) tf.tidy(() => step(1e-6));
  return { ms: (performance.now() - begin) / steps };
}

// plainStep is training as people write it.
function plainStep(loss) {
  const optimizers = {};
  return (rate) => {
    const { grads } = tf.variableGrads(loss);
    (optimizers[rate] ??= tf.train.sgd(rate)).applyGradients(grads);
  };
}

onmessage = ({ data }) => run(data).then(postMessage, (error) => postMessage({ problem: String(error) }));
