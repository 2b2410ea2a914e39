"use strict";

// cnn is conv5×5(6)-pool-conv5×5(16)-pool-dense(10), with max(x, 0) behind each
// pool, as in sim/model. Images and filters keep channels last.
function cnn(uniform, way) {
  // Drawn filter by filter, stored by position: as PyTorch has them, and as
  // TensorFlow.js does.
  const filters = (count, channels, bound) =>
    tf.transpose(tf.tensor4d(uniform(count * channels * 25, bound), [count, channels, 5, 5]), [2, 3, 1, 0]);
  const f1 = tf.variable(filters(6, 1, 1 / 5));
  const b1 = tf.variable(tf.tensor1d(uniform(6, 1 / 5)));
  const f2 = tf.variable(filters(16, 6, 1 / Math.sqrt(150)));
  const b2 = tf.variable(tf.tensor1d(uniform(16, 1 / Math.sqrt(150))));
  const dense = tf.tensor4d(uniform(256 * 10, 1 / 16), [16, 4, 4, 10]);
  const w3 = tf.variable(tf.reshape(tf.transpose(dense, [1, 2, 0, 3]), [256, 10]));
  const b3 = tf.variable(tf.tensor1d(uniform(10, 1 / 16)));
  const x = tf.tensor4d(uniform(rows * 784, 1), [rows, 28, 28, 1]);
  const y = oneHot();

  const pool = (a) => tf.relu(tf.maxPool(a, 2, 2, "valid"));
  const convolve = (a, f, b) => tf.add(tf.conv2d(a, f, 1, "valid"), b);
  const logits = (p2) => tf.add(tf.matMul(tf.reshape(p2, [rows, 256]), w3), b3);
  const loss = () => tf.losses.softmaxCrossEntropy(y, logits(pool(convolve(pool(convolve(x, f1, b1)), f2, b2))));

  // By hand, what this backend is quickest at, as found by trying. It has no
  // gradient of a convolution by its filters, but that is a convolution too: of
  // images in the batch's place, with derivatives as filters.
  const byFilters = (a, d) => tf.transpose(tf.conv2d(tf.transpose(a, [3, 1, 2, 0]), tf.transpose(d, [1, 2, 0, 3]), 1, "valid"), [1, 2, 0, 3]);
  const byImages = (d, f) => tf.conv2d(tf.pad(d, [[0, 0], [4, 4], [4, 4], [0, 0]]), tf.transpose(tf.reverse(f, [0, 1]), [0, 1, 3, 2]), 1, "valid");
  const byBias = (d) => tf.reshape(tf.matMul(tf.ones([1, d.size / d.shape.at(-1)]), tf.reshape(d, [-1, d.shape.at(-1)])), [-1]);
  // The way back through a pool and max(x, 0): the derivative goes to the largest
  // of four numbers, if that is positive.
  const wide = (a) => tf.image.resizeNearestNeighbor(a, [2 * a.shape[1], 2 * a.shape[2]]);
  const unpool = (d, a, p) => {
    const all = wide(tf.mul(d, tf.step(p)));
    return tf.sub(all, tf.mul(all, tf.step(tf.sub(wide(p), a))));
  };
  const fused = (x, filter, bias) => tf.fused.conv2d({ x, filter, bias, strides: 1, pad: "valid" });
  const tuned = (rate) => {
    const a1 = fused(x, f1, b1), p1 = tf.maxPool(a1, 2, 2, "valid"), h1 = tf.relu(p1);
    const a2 = fused(h1, f2, b2), p2 = tf.maxPool(a2, 2, 2, "valid"), h2 = tf.relu(p2);
    const d3 = tf.mul(tf.sub(tf.softmax(logits(h2)), y), rate / rows);
    const d2 = unpool(tf.reshape(tf.matMul(d3, tf.transpose(w3)), p2.shape), a2, p2);
    const d1 = unpool(byImages(d2, f2), a1, p1);
    w3.assign(tf.sub(w3, tf.matMul(tf.transpose(tf.reshape(h2, [rows, 256])), d3)));
    b3.assign(tf.sub(b3, tf.sum(d3, 0)));
    f2.assign(tf.sub(f2, byFilters(h1, d2)));
    b2.assign(tf.sub(b2, byBias(d2)));
    f1.assign(tf.sub(f1, byFilters(x, d1)));
    b1.assign(tf.sub(b1, byBias(d1)));
  };
  return { step: way === "tuned" ? tuned : plainStep(loss), loss };
}
