package clusterer

// Loops replaces the two inner loops of [KMeans] where a faster implementation than Go's
// exists, such as SIMD in a browser. Both must give the same bits.
type Loops struct {
	// Seed fills centroids by greedy k-means++, as [KMeans.Fit] describes it: the
	// first is point number first, and each of the draws, uniform in [0, 1), makes a
	// candidate for one of the others. The last three slices are scratch memory, one
	// number per point.
	Seed func(centroids, points *Matrix, draws, nearest, trial, chosen []float64, candidates, first int)
	// Lloyd continues from centroids as [KMeans.FitFrom] describes it, at most limit
	// steps and until their squared movement is at most stop. It writes the label of each
	// point and its squared distance from that centroid, and returns the number of steps.
	// shift and count are scratch memory: as many numbers as centroids have, and one per
	// centroid.
	Lloyd func(centroids, points *Matrix, labels []int, distance, shift []float64, count []int, limit int,
		stop float64) (steps int)
}

var useLoops Loops

// Use replaces Go's loops for the whole program: call it before anything else. The loops are called with at least one
// point of at least one column. For a nil loop, Go's is used.
func Use(l Loops) { useLoops = l }
