package clusterer

// Loops are the two loops of [KMeans], for a machine that has faster ones than Go's.
// They must come to the same bits.
type Loops struct {
	// Seed fills centroids by greedy k-means++, as [KMeans.Fit] describes it: the
	// first is point number first, and each of the draws, uniform in [0, 1), makes a
	// candidate for one of the others. The last three slices are room, a number a
	// point.
	Seed func(centroids, points *Matrix, draws, nearest, trial, chosen []float64, candidates, first int)
	// Lloyd goes on from centroids as [KMeans.FitFrom] describes it, at most limit
	// steps and until their squared movement is at most stop. It leaves the label of
	// each point and its squared distance from the centroid of that name, and returns
	// how many steps it took. The shift is room for as many numbers as centroids have,
	// and count for one a centroid.
	Lloyd func(centroids, points *Matrix, labels []int, distance, shift []float64, count []int, limit int,
		stop float64) (steps int)
}

var others Loops

// Use puts loops in the place of Go's, for the whole program: call it before anything
// else. They are called with a point at least, of one column at least. Those that are
// nil stay Go's.
func Use(l Loops) { others = l }
