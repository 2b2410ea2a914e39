//go:build ignore

// The two loops of k-means for WebAssembly, in float64: to the bit, what package
// clusterer has in kmeans.go (seed) and in lloyd.go (lloyd). As in kernel.c there
// is no stack and no static data; all room is the caller's.

#include <stdint.h>

#define EXPORT(name) __attribute__((export_name(name)))
#define INLINE static inline __attribute__((always_inline))

typedef double *restrict out;
typedef const double *restrict in;

INLINE double squared_distance(const int cols, in a, in b) {
	double sum = 0;
	for (int j = 0; j < cols; j++) {
		double d = a[j] - b[j];
		sum += d * d;
	}
	return sum;
}

INLINE void copy(const int cols, out to, in from) {
	for (int j = 0; j < cols; j++)
		to[j] = from[j];
}

// drawn returns the first index at which the running sum of weights reaches
// target, the last if none does.
INLINE int drawn(in weights, int n, double target) {
	double sum = 0;
	for (int i = 0; i < n; i++) {
		sum += weights[i];
		if (sum >= target)
			return i;
	}
	return n - 1;
}

INLINE void seed_of(const int cols, out centroids, in points, in draws, double *nearest, double *trial, double *chosen,
                    int n, int k, int candidates, int first) {
	double potential = 0;
	copy(cols, centroids, points + first * cols);
	for (int i = 0; i < n; i++)
		potential += nearest[i] = squared_distance(cols, points + i * cols, centroids);
	for (int c = 1; c < k; c++) {
		int pick = 0;
		double least = 0;
		for (int candidate = 0; candidate < candidates; candidate++) {
			int at = drawn(nearest, n, *draws++ * potential);
			double sum = 0;
			for (int i = 0; i < n; i++) {
				double d = squared_distance(cols, points + i * cols, points + at * cols);
				trial[i] = d < nearest[i] ? d : nearest[i];
				sum += trial[i];
			}
			if (candidate == 0 || sum < least) {
				double *other = chosen;
				pick = at, least = sum, chosen = trial, trial = other;
			}
		}
		double *other = nearest;
		nearest = chosen, chosen = other, potential = least;
		copy(cols, centroids + c * cols, points + pick * cols);
	}
}

EXPORT("seed")
void seed(out centroids, in points, in draws, double *nearest, double *trial, double *chosen, int n, int cols, int k, int candidates, int first) {
	switch (cols) {
	case 2: seed_of(2, centroids, points, draws, nearest, trial, chosen, n, k, candidates, first); break;
	case 3: seed_of(3, centroids, points, draws, nearest, trial, chosen, n, k, candidates, first); break;
	default: seed_of(cols, centroids, points, draws, nearest, trial, chosen, n, k, candidates, first);
	}
}

// assign labels each point with its nearest centre, and returns whether any label
// changed.
INLINE int assign(const int cols, in centroids, in points, int64_t *restrict labels, out distance, int n, int k) {
	int changed = 0;
	for (int i = 0; i < n; i++) {
		int64_t label = 0;
		double least = squared_distance(cols, points + i * cols, centroids);
		for (int c = 1; c < k; c++) {
			double d = squared_distance(cols, points + i * cols, centroids + c * cols);
			if (d < least)
				least = d, label = c;
		}
		distance[i] = least;
		changed |= labels[i] != label;
		labels[i] = label;
	}
	return changed;
}

// relocate puts each empty centre on the point farthest from its own.
INLINE double relocate(const int cols, out centroids, in points, const int64_t *restrict labels, out distance, out shift, int64_t *restrict count, int n, int k) {
	double moved = 0;
	for (int c = 0; c < k; c++) {
		if (count[c] > 0)
			continue;
		int far = 0;
		for (int i = 0; i < n; i++)
			if (distance[i] > distance[far])
				far = i;
		if (!(distance[far] > 0))
			return moved;
		distance[far] = 0;
		int own = (int)labels[far];
		count[own]--;
		for (int j = 0; j < cols; j++)
			shift[own * cols + j] -= points[far * cols + j] - centroids[own * cols + j];
		count[c] = 1;
		moved += squared_distance(cols, points + far * cols, centroids + c * cols);
		copy(cols, centroids + c * cols, points + far * cols);
	}
	return moved;
}

// move takes each centre to the mean of its points and returns the sum of the
// squared movements.
INLINE double move(const int cols, out centroids, in points, const int64_t *restrict labels, out distance, out shift, int64_t *restrict count, int n, int k) {
	for (int j = 0; j < k * cols; j++)
		shift[j] = 0;
	for (int c = 0; c < k; c++)
		count[c] = 0;
	for (int i = 0; i < n; i++) {
		int c = (int)labels[i];
		count[c]++;
		for (int j = 0; j < cols; j++)
			shift[c * cols + j] += points[i * cols + j] - centroids[c * cols + j];
	}
	double moved = relocate(cols, centroids, points, labels, distance, shift, count, n, k);
	int biggest = 0;
	for (int c = 0; c < k; c++) {
		if (count[c] > count[biggest])
			biggest = c;
		if (count[c] == 0)
			continue;
		for (int j = 0; j < cols; j++) {
			double s = shift[c * cols + j] / (double)count[c];
			centroids[c * cols + j] += s;
			moved += s * s;
		}
	}
	for (int c = 0; c < k; c++)
		if (count[c] == 0) {
			moved += squared_distance(cols, centroids + biggest * cols, centroids + c * cols);
			copy(cols, centroids + c * cols, centroids + biggest * cols);
		}
	return moved;
}

INLINE int lloyd_of(const int cols, out centroids, in points, int64_t *restrict labels, out distance, out shift, int64_t *restrict count, int n, int k, int limit, double stop) {
	int steps = 0, settled = 0;
	for (int i = 0; i < n; i++)
		labels[i] = -1;
	while (steps < limit) {
		steps++;
		settled = !assign(cols, centroids, points, labels, distance, n, k);
		if (settled || move(cols, centroids, points, labels, distance, shift, count, n, k) <= stop)
			break;
	}
	if (!settled)
		assign(cols, centroids, points, labels, distance, n, k);
	return steps;
}

EXPORT("lloyd")
int lloyd(out centroids, in points, int64_t *restrict labels, out distance, out shift, int64_t *restrict count, int n, int cols, int k, int limit, double stop) {
	switch (cols) {
	case 2: return lloyd_of(2, centroids, points, labels, distance, shift, count, n, k, limit, stop);
	case 3: return lloyd_of(3, centroids, points, labels, distance, shift, count, n, k, limit, stop);
	default: return lloyd_of(cols, centroids, points, labels, distance, shift, count, n, k, limit, stop);
	}
}
