"use strict";

// net returns a network of a text of sim/model on 32×32 colour pictures of ten classes,
// or one layer alone on 16 channels. Images and filters keep channels last. "plain" is
// as people write it. "tuned" has gradients by hand where this backend has no kernel for
// them, or a slow one: a convolution's by its filters is a convolution too, of images in
// the batch's place.
const net = (text, alone) => (uniform, way, rows) => {
  const tuned = way === "tuned";
  const bound = (fanIn) => 1 / Math.sqrt(fanIn);
  // Drawn filter by filter, stored by position: as PyTorch has them, and as TensorFlow.js does.
  const filters = (shape, fanIn, order) => tf.variable(tf.transpose(tf.tensor4d(uniform(shape.reduce((a, b) => a * b), bound(fanIn)), shape), order));
  const biases = (count, fanIn) => tf.variable(tf.tensor1d(uniform(count, bound(fanIn))));
  const frame = (a, n) => (n ? tf.pad(a, [[0, 0], [n, n], [n, n], [0, 0]]) : a);

  const byFilters = (a, d, k, stride, pad) => {
    const images = tf.transpose(frame(a, pad), [3, 1, 2, 0]), kernels = tf.transpose(d, [1, 2, 0, 3]);
    const all = tf.conv2d(images, kernels, 1, "valid", "NHWC", stride);
    return tf.transpose(tf.slice(all, [0, 0, 0, 0], [a.shape[3], k, k, d.shape[3]]), [1, 2, 0, 3]);
  };
  const byImages = (d, f, shape, k, stride, pad) => (stride > 1
    ? tf.conv2dTranspose(d, f, shape, stride, pad)
    : tf.conv2d(frame(d, k - 1 - pad), tf.transpose(tf.reverse(f, [0, 1]), [0, 1, 3, 2]), 1, "valid"));
  const byBias = (d) => tf.reshape(tf.matMul(tf.ones([1, d.size / d.shape.at(-1)]), tf.reshape(d, [-1, d.shape.at(-1)])), [-1]);

  function conv(channels, count, k, stride, first) {
    const pad = (k - 1) / 2, fanIn = channels * k * k;
    const f = filters([count, channels, k, k], fanIn, [2, 3, 1, 0]), b = biases(count, fanIn);
    if (!tuned) return (x) => tf.add(tf.conv2d(x, f, stride, pad), b);
    const convolve = tf.customGrad((x, f, b, save) => {
      save([x, f]);
      const gradFunc = (d, [x, f]) => [
        first ? tf.zerosLike(x) : byImages(d, f, x.shape, k, stride, pad), byFilters(x, d, k, stride, pad), byBias(d)];
      return { value: tf.fused.conv2d({ x: frame(x, pad), filter: f, bias: b, strides: stride, pad: "valid" }), gradFunc };
    });
    return (x) => convolve(x, f, b);
  }

  function depthwise(channels, stride) {
    const f = filters([channels, 1, 3, 3], 9, [2, 3, 0, 1]), b = biases(channels, 9);
    return (x) => tf.add(tf.depthwiseConv2d(x, f, stride, 1), b);
  }

  // Groups are eight. Numbers lie as samples × pixels × groups × channels of a group.
  function norm(channels) {
    const scale = tf.variable(tf.ones([channels])), shift = tf.variable(tf.zeros([channels]));
    const grouped = (x) => tf.reshape(x, [x.shape[0], -1, 8, channels / 8]);
    const mean = (x) => tf.mean(x, [1, 3], true);
    if (!tuned) {
      return (x) => {
        const g = grouped(x), { mean, variance } = tf.moments(g, [1, 3], true);
        const normal = tf.div(tf.sub(g, mean), tf.sqrt(tf.add(variance, 1e-5)));
        return tf.add(tf.mul(tf.reshape(normal, x.shape), scale), shift);
      };
    }
    const normalise = tf.customGrad((x, scale, shift, save) => {
      const g = grouped(x), centred = tf.sub(g, mean(g));
      const inverse = tf.rsqrt(tf.add(mean(tf.square(centred)), 1e-5)), normal = tf.mul(centred, inverse);
      save([normal, inverse, scale]);
      const gradFunc = (d, [normal, inverse, scale]) => {
        const flat = tf.reshape(normal, d.shape), g = grouped(tf.mul(d, scale));
        const along = tf.mul(normal, mean(tf.mul(g, normal)));
        const byX = tf.mul(inverse, tf.sub(tf.sub(g, mean(g)), along));
        return [tf.reshape(byX, d.shape), byBias(tf.mul(d, flat)), byBias(d)];
      };
      return { value: tf.add(tf.mul(tf.reshape(normal, x.shape), scale), shift), gradFunc };
    });
    return (x) => normalise(x, scale, shift);
  }

  // The derivative of a pool goes to the largest of four numbers.
  function pool() {
    if (!tuned) return (x) => tf.maxPool(x, 2, 2, "valid");
    const wide = (a) => tf.image.resizeNearestNeighbor(a, [2 * a.shape[1], 2 * a.shape[2]]);
    return tf.customGrad((x, save) => {
      const value = tf.maxPool(x, 2, 2, "valid");
      save([x, value]);
      const gradFunc = (d, [x, value]) => {
        const all = wide(d);
        return tf.sub(all, tf.mul(all, tf.step(tf.sub(wide(value), x))));
      };
      return { value, gradFunc };
    });
  }

  function residual(channels, count, stride) {
    const first = conv(channels, count, 3, stride), norm1 = norm(count);
    const second = conv(count, count, 3, 1), norm2 = norm(count);
    const skip = stride > 1 || channels !== count ? conv(channels, count, 1, stride) : (x) => x;
    return (x) => tf.relu(tf.add(norm2(second(tf.relu(norm1(first(x))))), skip(x)));
  }

  const layers = [];
  let channels = alone ? 16 : 3;
  for (const word of text.split("-")) {
    const [, kind, number, k, s] = /^(conv|dw|res|gn|relu|pool|gap)(\d*)(?:k(\d))?(?:s(\d))?$/.exec(word);
    const before = channels, stride = Number(s ?? 1);
    channels = Number(number || channels);
    layers.push({
      conv: () => conv(before, channels, Number(k ?? 3), stride, layers.length === 0 && !alone),
      dw: () => depthwise(channels, stride),
      res: () => residual(before, channels, stride),
      gn: () => norm(channels),
      relu: () => tf.relu,
      pool,
      gap: () => (x) => tf.mean(x, [1, 2]),
    }[kind]());
  }
  if (alone) { // one layer, whose outputs are the derivatives by them
    const x = tf.variable(tf.transpose(tf.tensor4d(uniform(64 * 16384, 1), [64, 16, 32, 32]), [0, 2, 3, 1]));
    const out = () => layers[0](x);
    return {
      step: () => tf.variableGrads(() => tf.mul(tf.sum(tf.square(out())), 0.5)),
      loss: () => tf.mean(tf.mean(tf.reshape(tf.square(out()), [64, -1]), 1)), // float32 cannot sum them all
    };
  }
  const w = tf.variable(tf.transpose(tf.tensor2d(uniform(10 * channels, bound(channels)), [10, channels])));
  const b = biases(10, channels);
  const x = tf.slice(tf.transpose(tf.tensor4d(uniform(64 * 3072, 1), [64, 3, 32, 32]), [0, 2, 3, 1]), 0, rows);
  const y = tf.slice(oneHot(), 0, rows);
  const logits = () => tf.add(tf.matMul(layers.reduce((a, layer) => layer(a), x), w), b);
  const loss = () => tf.losses.softmaxCrossEntropy(y, logits());
  return { step: plainStep(loss), loss };
};

// The texts are those of sim/model.
const nets = {
  vgg: net("conv16-gn-relu-conv16-gn-relu-pool-conv32-gn-relu-conv32-gn-relu-pool-conv64-gn-relu-conv64-gn-relu-gap"),
  resnet8: net("conv16-gn-relu-res16-res32s2-res64s2-gap"),
  mobilenet: net("conv16-gn-relu-dw-gn-relu-conv32k1-gn-relu-dws2-gn-relu-conv64k1-gn-relu-dw-gn-relu-conv64k1-gn-relu-dws2-gn-relu-conv128k1-gn-relu-gap"),
};
