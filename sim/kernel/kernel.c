//go:build ignore

// The loops of package kernel for WebAssembly. They run on Go's own memory,
// which the module imports: all pointers are into it. There is no stack and no
// static data, since nobody has set memory aside for them; what a loop needs
// beside its registers comes as an argument, scratch.
//
// Each function does, to the bit, what the one of that name in portable.go or
// portable_network.go does. The rule is in kernel.go: vectors run along the
// elements of a result. The compiler is told not to fuse (see build.sh) and may
// not reorder a sum, so that plain loops keep the rule by themselves and become
// vectors where their turns are independent. Only the products and the sums
// over lanes are spelled out.

#include <stddef.h>
#include <stdint.h>
#include <wasm_simd128.h>

#define EXPORT(name) __attribute__((export_name(name)))
#define INLINE static inline __attribute__((always_inline))
#define UNROLL _Pragma("clang loop unroll(full)")

typedef float *restrict out;
typedef const float *restrict in;

// The functions are bound after Go has been loaded; before that, and where this
// module cannot run, a call returns 0.
EXPORT("available") int available(void) { return 1; }

INLINE v128_t multiply_add(v128_t sum, v128_t a, v128_t b) {
	return wasm_f32x4_add(sum, wasm_f32x4_mul(a, b));
}

// ---- Sums over eight lanes

// part loads n ≤ 4 elements, with 0 for the others. A 0 adds nothing to a lane:
// the sums start at +0 and never become −0.
INLINE v128_t part(in x, int n) {
	if (n >= 4)
		return wasm_v128_load(x);
	return wasm_f32x4_make(n > 0 ? x[0] : 0, n > 1 ? x[1] : 0, n > 2 ? x[2] : 0, 0);
}

// tree adds the lanes 0 to 3 in low and 4 to 7 in high.
INLINE float tree(v128_t low, v128_t high) {
	v128_t four = wasm_f32x4_add(low, high);
	v128_t two = wasm_f32x4_add(four, wasm_i64x2_shuffle(four, four, 1, 1));
	return wasm_f32x4_extract_lane(two, 0) + wasm_f32x4_extract_lane(two, 1);
}

EXPORT("sumPlanes") void sum_planes(out dst, in x, int rows, int cols) {
	for (int i = 0; i < rows; i++, x += cols) {
		v128_t low = wasm_f32x4_const_splat(0), high = low;
		int j = 0;
		for (; j + 8 <= cols; j += 8) {
			low = wasm_f32x4_add(low, wasm_v128_load(x + j));
			high = wasm_f32x4_add(high, wasm_v128_load(x + j + 4));
		}
		low = wasm_f32x4_add(low, part(x + j, cols - j));
		high = wasm_f32x4_add(high, part(x + j + 4, cols - j - 4));
		dst[i] += tree(low, high);
	}
}

enum { BLOCK = 256 };

EXPORT("dot") double dot(in a, in b, int n) {
	double sum = 0;
	for (int from = 0; from < n; from += BLOCK) {
		int to = n - from < BLOCK ? n : from + BLOCK, i = from;
		v128_t low = wasm_f32x4_const_splat(0), high = low;
		for (; i + 8 <= to; i += 8) {
			low = multiply_add(low, wasm_v128_load(a + i), wasm_v128_load(b + i));
			high = multiply_add(high, wasm_v128_load(a + i + 4), wasm_v128_load(b + i + 4));
		}
		low = multiply_add(low, part(a + i, to - i), part(b + i, to - i));
		high = multiply_add(high, part(a + i + 4, to - i - 4), part(b + i + 4, to - i - 4));
		sum += tree(low, high);
	}
	return sum;
}

// ---- Products
//
// They go through c in panels of WIDTH columns, and through the sum in pieces
// of DEPTH steps, so that a panel of b stays in the first cache while all rows
// of a pass by. Between pieces the sums wait in c.

enum { WIDTH = 8, DEPTH = 256 };

// How to get from element to element.
typedef struct {
	int cRow, aRow, aStep, bStep;
} strides;

// tile computes rows × 4·vectors elements of c. With add the sums start from
// what c holds. Rows of b are one after the other, or where listed says.
INLINE void tile(const int rows, const int vectors, out c, in a, in b, const int *listed, int steps, strides by, int add) {
	v128_t sum[4][4];
	UNROLL for (int i = 0; i < rows; i++)
		UNROLL for (int v = 0; v < vectors; v++)
			sum[i][v] = add ? wasm_v128_load(c + i * by.cRow + 4 * v) : wasm_f32x4_const_splat(0);
	for (; steps > 0; steps--, a += by.aStep, b += by.bStep) {
		in from = listed ? b + *listed++ : b;
		v128_t row[4];
		UNROLL for (int v = 0; v < vectors; v++)
			row[v] = wasm_v128_load(from + 4 * v);
		UNROLL for (int i = 0; i < rows; i++) {
			v128_t x = wasm_v128_load32_splat(a + i * by.aRow);
			UNROLL for (int v = 0; v < vectors; v++)
				sum[i][v] = multiply_add(sum[i][v], x, row[v]);
		}
	}
	UNROLL for (int i = 0; i < rows; i++)
		UNROLL for (int v = 0; v < vectors; v++)
			wasm_v128_store(c + i * by.cRow + 4 * v, sum[i][v]);
}

INLINE void tiles(const int vectors, out c, in a, in b, int rows, int steps, strides by, int add) {
	for (; rows >= 4; rows -= 4, c += 4 * by.cRow, a += 4 * by.aRow)
		tile(4, vectors, c, a, b, NULL, steps, by, add);
	for (; rows >= 2; rows -= 2, c += 2 * by.cRow, a += 2 * by.aRow)
		tile(2, vectors, c, a, b, NULL, steps, by, add);
	if (rows > 0)
		tile(1, vectors, c, a, b, NULL, steps, by, add);
}

// narrow_tiles is tiles for a panel of fewer columns than its vectors have
// lanes. Four rows of c at a time are computed in full in scratch.
INLINE void narrow_tiles(const int vectors, out c, in a, in b, int rows, int columns, int steps,
                         strides by, int add, out scratch) {
	strides held = {WIDTH, by.aRow, by.aStep, by.bStep};
	for (; rows > 0; rows -= 4, c += 4 * by.cRow, a += 4 * by.aRow) {
		int few = rows < 4 ? rows : 4;
		for (int i = 0; add && i < few; i++)
			for (int j = 0; j < columns; j++)
				scratch[i * WIDTH + j] = c[i * by.cRow + j];
		tiles(vectors, scratch, a, b, few, steps, held, add);
		for (int i = 0; i < few; i++)
			for (int j = 0; j < columns; j++)
				c[i * by.cRow + j] = scratch[i * WIDTH + j];
	}
}

// turn4 writes up to four rows of src as columns of dst. Columns without a row
// get what the last one gets; nobody looks at them.
INLINE void turn4(out dst, const int width, in src, int rows, int steps, int stride) {
	in r0 = src;
	in r1 = rows > 1 ? r0 + stride : r0;
	in r2 = rows > 2 ? r1 + stride : r1;
	in r3 = rows > 3 ? r2 + stride : r2;
	for (; steps >= 4; steps -= 4, r0 += 4, r1 += 4, r2 += 4, r3 += 4, dst += 4 * width) {
		v128_t a = wasm_v128_load(r0), b = wasm_v128_load(r1);
		v128_t c = wasm_v128_load(r2), d = wasm_v128_load(r3);
		v128_t ab = wasm_i32x4_shuffle(a, b, 0, 4, 1, 5), cd = wasm_i32x4_shuffle(c, d, 0, 4, 1, 5);
		wasm_v128_store(dst, wasm_i64x2_shuffle(ab, cd, 0, 2));
		wasm_v128_store(dst + width, wasm_i64x2_shuffle(ab, cd, 1, 3));
		ab = wasm_i32x4_shuffle(a, b, 2, 6, 3, 7), cd = wasm_i32x4_shuffle(c, d, 2, 6, 3, 7);
		wasm_v128_store(dst + 2 * width, wasm_i64x2_shuffle(ab, cd, 0, 2));
		wasm_v128_store(dst + 3 * width, wasm_i64x2_shuffle(ab, cd, 1, 3));
	}
	for (int p = 0; p < steps; p++, dst += width)
		wasm_v128_store(dst, wasm_f32x4_make(r0[p], r1[p], r2[p], r3[p]));
}

// Where c has many columns, four rows of a at a time are packed for all panels,
// step by step, so that a tile reads one number after the other.

enum { PACKS = 16, MANY = 32 };

typedef struct {
	float a[4 * DEPTH];
} pack;

// Pictures are sparse: for handwritten digits, two samples, or two pixels of one, are
// both 0 in three of four steps. Such a step adds 0 to sums, which changes none of them
// (see AddMatMulTN). So two rows are packed without such steps, with a list of the rows
// of b of the others, and their tiles are two rows high and wider instead: for four rows
// only a third of the steps are not zero.

enum { BROAD = 16 };

typedef struct {
	float a[2 * DEPTH];
	int listed[DEPTH], steps;
} pair;

INLINE int counts(v128_t a) {
	return wasm_v128_any_true(wasm_f32x4_ne(a, wasm_f32x4_const_splat(0)));
}

INLINE v128_t four(in a, int stride) {
	return stride == 1 ? wasm_v128_load(a) : wasm_f32x4_make(a[0], a[stride], a[2 * stride], a[3 * stride]);
}

// picture reports, from 64 steps of four rows, whether a is sparse enough.
INLINE int picture(in a, int rows, int steps, strides by) {
	int zeros = 0, groups = rows / 4;
	for (int t = 0; t < 64; t++)
		zeros += !counts(four(a + t % groups * 4 * by.aRow + t * steps / 64 * by.aStep, by.aRow));
	return zeros >= 8;
}

// finite tells whether 0 times each of x is 0. Four sums, as each waits for its last
// addition.
INLINE int finite(in x, int n) {
	v128_t naught = wasm_f32x4_const_splat(0), sum[4] = {naught, naught, naught, naught};
	int i = 0;
	for (; i + 16 <= n; i += 16)
		UNROLL for (int v = 0; v < 4; v++)
			sum[v] = multiply_add(sum[v], wasm_v128_load(x + i + 4 * v), naught);
	for (; i < n; i += 4)
		sum[0] = multiply_add(sum[0], part(x + i, n - i), naught);
	return !counts(wasm_f32x4_add(wasm_f32x4_add(sum[0], sum[1]), wasm_f32x4_add(sum[2], sum[3])));
}

INLINE void pack_rows(pack *to, in a, int steps, strides by) {
	if (by.aStep == 1)
		turn4(to->a, 4, a, 4, steps, by.aRow);
	else
		for (int p = 0; p < steps; p++)
			wasm_v128_store(to->a + 4 * p, four(a + p * by.aStep, by.aRow));
}

// list_pairs splits a pack in two, and leaves out what does not count.
INLINE void list_pairs(pair *to, const pack *from, int steps, int bStep) {
	int first = 0, second = 0;
	for (int p = 0; p < steps; p++) {
		v128_t x = wasm_v128_load(from->a + 4 * p);
		int marks = wasm_i32x4_bitmask(wasm_f32x4_ne(x, wasm_f32x4_const_splat(0)));
		wasm_v128_store64_lane(to[0].a + 2 * first, x, 0);
		wasm_v128_store64_lane(to[1].a + 2 * second, x, 1);
		to[0].listed[first] = to[1].listed[second] = p * bStep;
		first += (marks & 3) != 0;
		second += marks > 3;
	}
	to[0].steps = first;
	to[1].steps = second;
}

// packed_tiles computes all whole tiles of c, and returns how many rows they have.
// The columns of b are turned to the panel first, or read in their places if there
// is none.
INLINE int packed_tiles(out c, in a, in b, int rows, int columns, int steps, int k, strides by, int add,
                        out panel, pack *packs) {
	strides packed = {by.cRow, 1, 4, by.bStep};
	int done = 0;
	while (rows - done >= 4) {
		int groups = rows - done < 4 * PACKS ? (rows - done) / 4 : PACKS;
		for (int g = 0; g < groups; g++)
			pack_rows(packs + g, a + (done + 4 * g) * by.aRow, steps, by);
		for (int j = 0; j + WIDTH <= columns; j += WIDTH) {
			in from = b + j;
			if (panel) {
				turn4(panel, WIDTH, b + j * k, 4, steps, k);
				turn4(panel + 4, WIDTH, b + (j + 4) * k, 4, steps, k);
				from = panel;
			}
			for (int g = 0; g < groups; g++)
				tile(4, 2, c + (done + 4 * g) * by.cRow + j, packs[g].a, from, NULL, steps, packed, add);
		}
		done += 4 * groups;
	}
	return done;
}

// listed_tiles is packed_tiles for a picture.
INLINE int listed_tiles(out c, in a, in b, int rows, int columns, int steps, strides by, int add,
                        pack *packed, pair *pairs) {
	strides jumping = {by.cRow, 1, 2, 0};
	int done = 0;
	while (rows - done >= 4) {
		int groups = rows - done < 4 * PACKS ? (rows - done) / 4 : PACKS, j = 0;
		for (int g = 0; g < groups; g++) {
			pack_rows(packed, a + (done + 4 * g) * by.aRow, steps, by);
			list_pairs(pairs + 2 * g, packed, steps, by.bStep);
		}
		for (; j + BROAD <= columns; j += BROAD)
			for (int g = 0; g < 2 * groups; g++)
				tile(2, 4, c + (done + 2 * g) * by.cRow + j, pairs[g].a, b + j, pairs[g].listed, pairs[g].steps, jumping, add);
		if (j + WIDTH <= columns)
			for (int g = 0; g < 2 * groups; g++)
				tile(2, 2, c + (done + 2 * g) * by.cRow + j, pairs[g].a, b + j, pairs[g].listed, pairs[g].steps, jumping, add);
		done += 4 * groups;
	}
	return done;
}

// product multiplies a matrix whose element in row i and step p is
// a[i·aRow + p·aStep] by b, which is stored k×n, or n×k if it is turned. The
// scratch has room for a panel of b and four rows of c, (DEPTH+4)·WIDTH, and then
// for PACKS packs, or for one and 2·PACKS pairs, which are more.
EXPORT("product")
void product(out c, in a, in b, int m, int k, int n, int aRow, int aStep, int turned, int add, out scratch) {
	strides whole = {n, aRow, aStep, turned ? WIDTH : n};
	int packed = m >= 4 && n >= MANY, listed = packed && !turned && picture(a, m, k, whole) && finite(b, k * n);
	out rest = scratch + (DEPTH + 4) * WIDTH;
	for (int p = 0; p < k; p += DEPTH) {
		int steps = k - p < DEPTH ? k - p : DEPTH, done = 0;
		if (listed)
			done = listed_tiles(c, a + p * aStep, b + p * n, m, n, steps, whole, add,
			                    (pack *)rest, (pair *)((pack *)rest + 1));
		else if (packed)
			done = packed_tiles(c, a + p * aStep, turned ? b + p : b + p * n, m, n, steps, k, whole, add,
			                    turned ? scratch : NULL, (pack *)rest);
		for (int j = 0; j < n; j += WIDTH) {
			int columns = n - j < WIDTH ? n - j : WIDTH, first = columns == WIDTH ? done : 0;
			if (first == m)
				continue;
			strides by = {n, aRow, aStep, WIDTH};
			in panel = scratch;
			if (turned) {
				turn4(scratch, WIDTH, b + j * k + p, columns, steps, k);
				if (columns > 4)
					turn4(scratch + 4, WIDTH, b + (j + 4) * k + p, columns - 4, steps, k);
			} else if (columns < WIDTH) {
				for (int q = 0; q < steps; q++)
					for (int i = 0; i < columns; i++)
						scratch[q * WIDTH + i] = b[(p + q) * n + j + i];
			} else {
				panel = b + p * n + j;
				by.bStep = n;
			}
			out to = c + first * n + j;
			in from = a + first * aRow + p * aStep;
			if (columns == WIDTH)
				tiles(2, to, from, panel, m - first, steps, by, add);
			else if (columns > 4)
				narrow_tiles(2, to, from, panel, m, columns, steps, by, add, scratch + DEPTH * WIDTH);
			else
				narrow_tiles(1, to, from, panel, m, columns, steps, by, add, scratch + DEPTH * WIDTH);
		}
		add = 1;
	}
}

// ---- Inner products of gradients

// Four rows a and two rows b: with three and three, browsers load six vectors
// before the first of nine products, which is more than there are registers for.

typedef struct {
	in a0, a1, a2, a3, b0, b1;
} rows;

// eight adds, for each pair of rows, the products of n ≤ 4 elements to the lanes of
// its sum.
INLINE void eight(v128_t sum[8], rows r, int at, int n) {
	v128_t a[4] = {part(r.a0 + at, n), part(r.a1 + at, n), part(r.a2 + at, n), part(r.a3 + at, n)};
	UNROLL for (int j = 0; j < 2; j++) {
		v128_t b = part((j == 0 ? r.b0 : r.b1) + at, n);
		UNROLL for (int i = 0; i < 4; i++)
			sum[2 * i + j] = multiply_add(sum[2 * i + j], a[i], b);
	}
}

// half_lanes sums, for each of these pairs, the products of four elements of every
// eight.
INLINE void half_lanes(v128_t sum[8], rows r, int at, int end) {
	UNROLL for (int i = 0; i < 8; i++)
		sum[i] = wasm_f32x4_const_splat(0);
	for (; at + 4 <= end; at += 8)
		eight(sum, r, at, 4);
	if (at < end)
		eight(sum, r, at, end - at);
}

// gramTile adds to sum[4×2] the inner products of four rows and two others.
EXPORT("gramTile")
void gram_tile(double *restrict sum, in a0, in a1, in a2, in a3, in b0, in b1, int n) {
	rows r = {a0, a1, a2, a3, b0, b1};
	for (int from = 0; from < n; from += BLOCK) {
		int end = n - from < BLOCK ? n : from + BLOCK;
		v128_t low[8], high[8];
		half_lanes(low, r, from, end);
		half_lanes(high, r, from + 4, end);
		UNROLL for (int j = 0; j < 8; j++)
			sum[j] += tree(low[j], high[j]);
	}
}

// ---- Vectors

EXPORT("axpy") void axpy(out y, float a, in x, int n) {
	for (int i = 0; i < n; i++)
		y[i] += a * x[i];
}

EXPORT("scale") void scale(out y, float a, int n) {
	for (int i = 0; i < n; i++)
		y[i] *= a;
}

EXPORT("lerp") void lerp(out y, float a, in x, int n) {
	float rest = 1 - a;
	for (int i = 0; i < n; i++)
		y[i] = rest * y[i] + a * x[i];
}

EXPORT("accumulate") void accumulate(double *restrict sum, double w, in x, int n) {
	for (int i = 0; i < n; i++)
		sum[i] += w * (double)x[i];
}

EXPORT("descend") void descend(out params, const double *restrict sum, double rate, double divisor, int n) {
	for (int i = 0; i < n; i++)
		params[i] = (float)((double)params[i] - rate * (sum[i] / divisor));
}

EXPORT("shades") void shades(out dst, const uint8_t *restrict src, int n) {
	for (int i = 0; i < n; i++)
		dst[i] = (float)src[i] / 255;
}

EXPORT("gather") void gather(out dst, in src, const uint16_t *restrict at, int n) {
	for (int i = 0; i < n; i++)
		dst[i] = src[at[i]];
}

EXPORT("trunc") void trunc_(out x, float power, int n) {
	for (int i = 0; i < n; i++)
		x[i] = __builtin_truncf(x[i] * power) / power;
}

EXPORT("momentum") void momentum(out params, out velocity, in grad, float rate, float mu, int n) {
	for (int i = 0; i < n; i++) {
		velocity[i] = mu * velocity[i] + grad[i];
		params[i] -= rate * velocity[i];
	}
}

EXPORT("adam")
void adam(out params, out m, out v, in grad, float beta1, float rest1, float beta2, float rest2,
          float rate, float root, float eps, int n) {
	for (int i = 0; i < n; i++) {
		float g = grad[i];
		m[i] = beta1 * m[i] + rest1 * g;
		v[i] = beta2 * v[i] + rest2 * (g * g);
		params[i] -= rate * (m[i] / (__builtin_sqrtf(v[i]) / root + eps));
	}
}

// ---- Layers

EXPORT("addBias") void add_bias(out x, in bias, int rows, int cols) {
	for (int i = 0; i < rows; i++, x += cols)
		axpy(x, 1, bias, cols);
}

EXPORT("addBiasPlanes") void add_bias_planes(out x, in bias, int rows, int cols) {
	for (int i = 0; i < rows; i++, x += cols) {
		float b = bias[i];
		for (int j = 0; j < cols; j++)
			x[j] += b;
	}
}

EXPORT("sumRows") void sum_rows(out dst, in x, int rows, int cols) {
	for (int i = 0; i < rows; i++, x += cols)
		axpy(dst, 1, x, cols);
}

EXPORT("relu") void relu(out x, int n) {
	for (int i = 0; i < n; i++) {
		float v = x[i];
		x[i] = v <= 0 ? 0 : v;
	}
}

EXPORT("reluBack") void relu_back(out d, in y, int n) {
	for (int i = 0; i < n; i++) {
		float v = d[i];
		d[i] = y[i] <= 0 ? 0 : v;
	}
}

typedef union {
	float number;
	uint32_t bits;
} word;

// exponential is Exp of exp.go, line by line.
INLINE float exponential(float x) {
	const float shift = 0x1.8p23f;
	x = x < -104 ? -104 : x;
	x = x > 89 ? 89 : x;
	word shifted = {x * 1.44269504088896340736f + shift};
	float n = shifted.number - shift;
	float r = x - n * 0.693359375f;
	r -= n * -2.12194440054690583e-4f;
	float p = 1.f / 5040 * r + 1.f / 720;
	p = p * r + 1.f / 120;
	p = p * r + 1.f / 24;
	p = p * r + 1.f / 6;
	p = p * r + 0.5f;
	p = p * r * r + r;
	p += 1;
	int32_t k = (int32_t)(shifted.bits << 9) >> 9, half = k >> 1;
	word up = {.bits = (uint32_t)(half + 127) << 23}, rest = {.bits = (uint32_t)(k - half + 127) << 23};
	return p * up.number * rest.number;
}

// logarithm is Log of exp.go for what a sum of exponentials is: 1 or more, or
// not a number.
INLINE float logarithm(float x) {
	if (x != x)
		return x;
	const uint32_t rootHalf = 0x3f3504f3;
	word moved = {x};
	moved.bits -= rootHalf;
	float e = (float)((int32_t)moved.bits >> 23);
	word m = {.bits = (moved.bits & ((1 << 23) - 1)) + rootHalf};
	float f = m.number - 1, s = f / (2 + f), z = s * s;
	float p = 2.f / 9 * z + 2.f / 7;
	p = p * z + 2.f / 5;
	p = p * z + 2.f / 3;
	p = p * z;
	float h = 0.5f * f * f, low = s * (h + p) + e * -2.12194440054690583e-4f;
	return e * 0.693359375f - ((h - low) - f);
}

EXPORT("sigmoid") void sigmoid(out x, int n) {
	for (int i = 0; i < n; i++)
		x[i] = 1 / (1 + exponential(-x[i]));
}

EXPORT("sigmoidBack") void sigmoid_back(out d, in y, int n) {
	for (int i = 0; i < n; i++)
		d[i] *= y[i] * (1 - y[i]);
}

// ---- Losses. Without a gradient, grad is null; it may also be the input.

EXPORT("softmaxCross")
void softmax_cross(out loss, float *grad, const float *logits, in labels, int rows, int cols) {
	for (int i = 0; i < rows; i++, logits += cols) {
		float top = logits[0], sum = 0;
		for (int j = 1; j < cols; j++)
			top = logits[j] > top ? logits[j] : top;
		int label = (int)labels[i];
		float own = logits[label] - top;
		if (grad == NULL) {
			for (int j = 0; j < cols; j++)
				sum += exponential(logits[j] - top);
			loss[i] = logarithm(sum) - own;
			continue;
		}
		for (int j = 0; j < cols; j++)
			grad[j] = exponential(logits[j] - top);
		for (int j = 0; j < cols; j++)
			sum += grad[j];
		loss[i] = logarithm(sum) - own;
		scale(grad, 1 / sum, cols);
		grad[label] -= 1;
		grad += cols;
	}
}

EXPORT("squared")
void squared(out loss, float *grad, const float *got, in want, int rows, int cols) {
	float slope = 2 / (float)cols;
	for (int i = 0; i < rows; i++, got += cols, want += cols) {
		v128_t low = wasm_f32x4_const_splat(0), high = low;
		for (int j = 0; j < cols; j += 8) {
			v128_t d = wasm_f32x4_sub(part(got + j, cols - j), part(want + j, cols - j));
			v128_t e = wasm_f32x4_sub(part(got + j + 4, cols - j - 4), part(want + j + 4, cols - j - 4));
			low = multiply_add(low, d, d);
			high = multiply_add(high, e, e);
		}
		loss[i] = tree(low, high) / (float)cols;
		if (grad != NULL) {
			for (int j = 0; j < cols; j++)
				grad[j] = (got[j] - want[j]) * slope;
			grad += cols;
		}
	}
}

// ---- Images

EXPORT("im2Col")
void im2col(out dst, in src, int channels, int height, int width, int kernel) {
	int down = height - kernel + 1, across = width - kernel + 1;
	for (int c = 0; c < channels; c++, src += height * width)
		for (int ky = 0; ky < kernel; ky++)
			for (int kx = 0; kx < kernel; kx++)
				for (int y = 0; y < down; y++, dst += across) {
					in row = src + (ky + y) * width + kx;
					for (int x = 0; x < across; x++)
						dst[x] = row[x];
				}
}

EXPORT("col2Im")
void col2im(out dst, in src, int channels, int height, int width, int kernel) {
	int down = height - kernel + 1, across = width - kernel + 1;
	for (int i = 0; i < channels * height * width; i++)
		dst[i] = 0;
	for (int c = 0; c < channels; c++, dst += height * width)
		for (int ky = 0; ky < kernel; ky++)
			for (int kx = 0; kx < kernel; kx++)
				for (int y = 0; y < down; y++, src += across) {
					out row = dst + (ky + y) * width + kx;
					for (int x = 0; x < across; x++)
						row[x] += src[x];
				}
}

// copy_rows copies rows that are to_row and from_row elements apart, and their elements
// so many steps. Every second element is taken or given in vectors of four.
EXPORT("copyRows")
void copy_rows(out dst, in src, int rows, int cols, int to_row, int to_step, int from_row, int from_step) {
	for (; rows > 0; rows--, dst += to_row, src += from_row) {
		int x = 0;
		if (to_step == 1 && from_step == 1)
			for (; x + 4 <= cols; x += 4)
				wasm_v128_store(dst + x, wasm_v128_load(src + x));
		else if (to_step == 1 && from_step == 2)
			for (; x + 4 < cols; x += 4) {
				v128_t low = wasm_v128_load(src + 2 * x), high = wasm_v128_load(src + 2 * x + 4);
				wasm_v128_store(dst + x, wasm_i32x4_shuffle(low, high, 0, 2, 4, 6));
			}
		else if (to_step == 2 && from_step == 1)
			for (; x + 4 < cols; x += 4) {
				v128_t row = wasm_v128_load(src + x);
				out low = dst + 2 * x, high = low + 4;
				wasm_v128_store(low, wasm_i32x4_shuffle(row, wasm_v128_load(low), 0, 5, 1, 7));
				wasm_v128_store(high, wasm_i32x4_shuffle(row, wasm_v128_load(high), 2, 5, 3, 7));
			}
		for (; x < cols; x++)
			dst[x * to_step] = src[x * from_step];
	}
}

// A square of an image: a and b of the upper row, c and d of the lower. A quad of
// them fills four lanes, a single one has them all alike.
typedef struct {
	v128_t a, b, c, d;
} square;

INLINE square square_quad(in upper, in lower) {
	v128_t u = wasm_v128_load(upper), v = wasm_v128_load(upper + 4);
	v128_t l = wasm_v128_load(lower), m = wasm_v128_load(lower + 4);
	return (square){
		wasm_i32x4_shuffle(u, v, 0, 2, 4, 6), wasm_i32x4_shuffle(u, v, 1, 3, 5, 7),
		wasm_i32x4_shuffle(l, m, 0, 2, 4, 6), wasm_i32x4_shuffle(l, m, 1, 3, 5, 7),
	};
}

INLINE square square_one(in upper, in lower) {
	return (square){
		wasm_f32x4_splat(upper[0]), wasm_f32x4_splat(upper[1]),
		wasm_f32x4_splat(lower[0]), wasm_f32x4_splat(lower[1]),
	};
}

// pmax takes its first operand unless the second is larger: so does v > best.
INLINE v128_t largest(square s) {
	return wasm_f32x4_pmax(wasm_f32x4_pmax(wasm_f32x4_pmax(s.a, s.b), s.c), s.d);
}

// largest_back has the gradient where the square is largest, and else zero: at d
// where d beats all before it, else at c, and so on.
INLINE square largest_back(square s, v128_t gradient) {
	v128_t b = wasm_f32x4_lt(s.a, s.b), best = wasm_f32x4_pmax(s.a, s.b);
	v128_t c = wasm_f32x4_lt(best, s.c);
	v128_t d = wasm_f32x4_lt(wasm_f32x4_pmax(best, s.c), s.d);
	square at;
	at.d = wasm_v128_and(gradient, d);
	gradient = wasm_v128_andnot(gradient, d);
	at.c = wasm_v128_and(gradient, c);
	gradient = wasm_v128_andnot(gradient, c);
	at.b = wasm_v128_and(gradient, b);
	at.a = wasm_v128_andnot(gradient, b);
	return at;
}

EXPORT("maxPool2") void max_pool2(out dst, in src, int planes, int height, int width) {
	for (int c = 0; c < planes; c++, src += height * width)
		for (int y = 0; y < height / 2; y++, dst += width / 2) {
			in upper = src + 2 * y * width, lower = upper + width;
			int x = 0;
			for (; x + 4 <= width / 2; x += 4)
				wasm_v128_store(dst + x, largest(square_quad(upper + 2 * x, lower + 2 * x)));
			for (; x < width / 2; x++)
				dst[x] = wasm_f32x4_extract_lane(largest(square_one(upper + 2 * x, lower + 2 * x)), 0);
		}
}

EXPORT("maxPool2Back") void max_pool2_back(out dsrc, in ddst, in src, int planes, int height, int width) {
	for (int i = 0; i < planes * height * width; i++)
		dsrc[i] = 0;
	for (int c = 0; c < planes; c++, src += height * width, dsrc += height * width)
		for (int y = 0; y < height / 2; y++, ddst += width / 2) {
			in upper = src + 2 * y * width, lower = upper + width;
			out above = dsrc + 2 * y * width, below = above + width;
			int x = 0;
			for (; x + 4 <= width / 2; x += 4) {
				square s = largest_back(square_quad(upper + 2 * x, lower + 2 * x), wasm_v128_load(ddst + x));
				wasm_v128_store(above + 2 * x, wasm_i32x4_shuffle(s.a, s.b, 0, 4, 1, 5));
				wasm_v128_store(above + 2 * x + 4, wasm_i32x4_shuffle(s.a, s.b, 2, 6, 3, 7));
				wasm_v128_store(below + 2 * x, wasm_i32x4_shuffle(s.c, s.d, 0, 4, 1, 5));
				wasm_v128_store(below + 2 * x + 4, wasm_i32x4_shuffle(s.c, s.d, 2, 6, 3, 7));
			}
			for (; x < width / 2; x++) {
				square s = largest_back(square_one(upper + 2 * x, lower + 2 * x), wasm_f32x4_splat(ddst[x]));
				above[2 * x] = wasm_f32x4_extract_lane(s.a, 0);
				above[2 * x + 1] = wasm_f32x4_extract_lane(s.b, 0);
				below[2 * x] = wasm_f32x4_extract_lane(s.c, 0);
				below[2 * x + 1] = wasm_f32x4_extract_lane(s.d, 0);
			}
		}
}

// ---- Measure

// peak multiplies and adds vectors as fast as the machine can, for benchmarks:
// twelve independent sums a turn.
EXPORT("peak") float peak(int turns) {
	v128_t sum[12], x = wasm_f32x4_splat(1), y = wasm_f32x4_splat(0.5f);
	UNROLL for (int i = 0; i < 12; i++)
		sum[i] = wasm_f32x4_splat((float)i);
	for (; turns > 0; turns--) {
		UNROLL for (int i = 0; i < 12; i++)
			sum[i] = wasm_f32x4_add(wasm_f32x4_mul(sum[i], y), x);
	}
	UNROLL for (int i = 1; i < 12; i++)
		sum[0] = wasm_f32x4_add(sum[0], sum[i]);
	return wasm_f32x4_extract_lane(sum[0], 0);
}
