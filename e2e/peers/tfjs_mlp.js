"use strict";

// mlp is 784-200-10 with max(x, 0) in between.
function mlp(uniform, way) {
  const w1 = tf.variable(tf.tensor2d(uniform(784 * 200, 1 / 28), [784, 200]));
  const b1 = tf.variable(tf.tensor1d(uniform(200, 1 / 28)));
  const w2 = tf.variable(tf.tensor2d(uniform(200 * 10, 1 / Math.sqrt(200)), [200, 10]));
  const b2 = tf.variable(tf.tensor1d(uniform(10, 1 / Math.sqrt(200))));
  const x = tf.tensor2d(uniform(rows * 784, 1), [rows, 784]);
  const y = oneHot();

  const hidden = () => tf.relu(tf.add(tf.matMul(x, w1), b1));
  const logits = (h) => tf.add(tf.matMul(h, w2), b2);
  const loss = () => tf.losses.softmaxCrossEntropy(y, logits(hidden()));

  // What variableGrads does, with three differences: a transposed argument of
  // matMul leaves the backend's fast path, so it is transposed before; the rate
  // goes into the smallest derivative; and the loss itself is not computed.
  const tuned = (rate) => {
    const h = hidden();
    const d2 = tf.mul(tf.sub(tf.softmax(logits(h)), y), rate / rows);
    const d1 = tf.mul(tf.matMul(d2, tf.transpose(w2)), tf.step(h));
    w2.assign(tf.sub(w2, tf.matMul(tf.transpose(h), d2)));
    b2.assign(tf.sub(b2, tf.sum(d2, 0)));
    w1.assign(tf.sub(w1, tf.matMul(tf.transpose(x), d1)));
    b1.assign(tf.sub(b1, tf.sum(d1, 0)));
  };
  return { step: way === "tuned" ? tuned : plainStep(loss), loss };
}
