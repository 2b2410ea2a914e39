//go:build ignore

// Random numbers for WebAssembly: to the bit, what package rng draws one at a time
// and package exact makes of it. As in kernel.c there is no stack and no static
// data, so coefficients are written where they are used.

#include <stddef.h>
#include <stdint.h>
#include <wasm_simd128.h>

#define EXPORT(name) __attribute__((export_name(name)))
#define INLINE static inline __attribute__((always_inline))

// word is the next 64 bits of SplitMix64, as in rng.Stream.
INLINE uint64_t word(uint64_t *state) {
	const uint64_t golden = 0x9E3779B97F4A7C15;
	uint64_t x = *state += golden;
	x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9;
	x = (x ^ x >> 27) * 0x94D049BB133111EB;
	return x ^ x >> 31;
}

// The two polynomials of one of the rational functions of exact.NormalQuantile, by
// Horner's rule.
#define HORNER(x, c0, c1, c2, c3, c4, c5, c6, c7) \
	(((((((c7 * (x) + c6) * (x) + c5) * (x) + c4) * (x) + c3) * (x) + c2) * (x) + c1) * (x) + c0)

// log_ is exact.Log of a normal number below 1.
INLINE double log_(double x) {
	union { double value; uint64_t bits; } m = {x};
	int e = (int)(m.bits >> 52) - 1022;
	m.bits = (m.bits & 0xFFFFFFFFFFFFF) | 1022ull << 52; // m in [½, 1)
	if (m.value < 0.70710678118654752440)
		m.value *= 2, e--;
	double s = (m.value - 1) / (m.value + 1), z = s * s, sum = 0;
#define TERM(k) sum = (sum + 1. / k) * z;
	TERM(23) TERM(21) TERM(19) TERM(17) TERM(15) TERM(13) TERM(11) TERM(9) TERM(7) TERM(5) TERM(3)
	double k = e, low = k * 1.90821492927058770002e-10 + 2 * (s * sum);
	return k * 6.93147180369123816490e-01 + (2 * s + low);
}

// tail is exact.NormalQuantile where |p − ½| is above 0.425.
INLINE double tail(double p) {
	double r = __builtin_sqrt(-log_(p < 0.5 ? p : 1 - p)), z;
	if (r <= 5) {
		r -= 1.6;
		z = HORNER(r, 1.42343711074968357734e0, 4.63033784615654529590e0, 5.76949722146069140550e0, 3.64784832476320460504e0,
		           1.27045825245236838258e0, 2.41780725177450611770e-1, 2.27238449892691845833e-2, 7.74545014278341407640e-4) /
		    HORNER(r, 1, 2.05319162663775882187e0, 1.67638483018380384940e0, 6.89767334985100004550e-1,
		           1.48103976427480074590e-1, 1.51986665636164571966e-2, 5.47593808499534494600e-4, 1.05075007164441684324e-9);
	} else {
		r -= 5;
		z = HORNER(r, 6.65790464350110377720e0, 5.46378491116411436990e0, 1.78482653991729133580e0, 2.96560571828504891230e-1,
		           2.65321895265761230930e-2, 1.24266094738807843860e-3, 2.71155556874348757815e-5, 2.01033439929228813265e-7) /
		    HORNER(r, 1, 5.99832206555887937690e-1, 1.36929880922735805310e-1, 1.48753612908506148525e-2,
		           7.86869131145613259100e-4, 1.84631831751005468180e-5, 1.42151175831644588870e-7, 2.04426310338993978564e-15);
	}
	return p < 0.5 ? -z : z;
}

typedef double pair __attribute__((vector_size(16)));

// quantiles is exact.NormalQuantile of two numbers at a time.
INLINE pair quantiles(pair p) {
	pair q = p - 0.5, r = 0.180625 - q * q;
	pair z = q *
	    HORNER(r, 3.3871328727963666080e0, 1.3314166789178437745e2, 1.9715909503065514427e3, 1.3731693765509461125e4,
	           4.5921953931549871457e4, 6.7265770927008700853e4, 3.3430575583588128105e4, 2.5090809287301226727e3) /
	    HORNER(r, 1, 4.2313330701600911252e1, 6.8718700749205790830e2, 5.3941960214247511077e3,
	           2.1213794301586595867e4, 3.9307895800092710610e4, 2.8729085735721942674e4, 5.2264952788528545610e3);
	if (__builtin_fabs(q[0]) > 0.425)
		z[0] = tail(p[0]);
	if (__builtin_fabs(q[1]) > 0.425)
		z[1] = tail(p[1]);
	return z;
}

// uniform and centre are the two ways in which a word becomes a number: in [0, 1), and
// in (0, 1).
INLINE double uniform(uint64_t *state) { return (double)(word(state) >> 11) * 0x1p-53; }
INLINE double centre(uint64_t *state) { return ((double)(word(state) >> 12) + 0.5) * 0x1p-52; }

// normals draws n normal numbers, and before each of them a uniform one if u is not
// null.
EXPORT("normals") void normals(uint64_t *restrict state, double *restrict u, double *restrict z, int n) {
	for (; n > 0; n -= 2, z += 2) {
		pair p = {0.5, 0.5};
		if (u)
			*u++ = uniform(state);
		p[0] = centre(state);
		if (n > 1) {
			if (u)
				*u++ = uniform(state);
			p[1] = centre(state);
		}
		p = quantiles(p);
		z[0] = p[0];
		if (n > 1)
			z[1] = p[1];
	}
}
