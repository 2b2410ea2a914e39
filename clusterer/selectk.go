package clusterer

// SelectK chooses the number of clusters by silhouette: it tries every k from 2
// and keeps the labels that score best. The zero value is ready to use.
type SelectK struct {
	// Margin is the least gain for a larger k, relative to the best score so far; 0 accepts
	// any gain.
	Margin  float64
	Linkage Linkage // linkage of Merge
	Copies  int     // how often Merge counts each point if there may be as many clusters as points; below 2 once
	KMeans  KMeans  // k-means of Means

	// The result of the last call, valid until the next.
	Labels []int     // −1 for points that are not finite; of the others all 0 if nothing could be scored
	Scores []float64 // index 0 is k = 2

	finite     finitePoints
	repeated   Matrix
	tree       Agglomerative
	separation Separation
	best       float64
}

// Merge tries the cuts of one [Agglomerative] tree, for k from 2 to most, and
// returns the best k, the least on ties. It is 1 if nothing can be scored: with
// fewer than three points, as silhouettes need fewer labels than points, or with
// points that are all the same. Points that are not finite are ignored. This is selectBestK
// of CLoVE, Algorithm 2 of the version with unknown K; its authors' code uses Ward's linkage,
// a margin of 0.1, and five copies of each point if most is not below their number, so that
// a cluster of one point scores 1, where a silhouette is 0 by definition.
func (s *SelectK) Merge(points *Matrix, most int) (k int) {
	points.check()
	all := points.Rows
	points = s.finite.of(points)
	n := points.Rows
	if s.Copies > 1 && most >= n {
		points = s.repeat(points)
	}
	s.tree.Linkage = s.Linkage
	s.tree.Fit(points)
	s.begin(points)
	for try := 2; try <= min(most, points.Rows-1); try++ {
		if s.tree.Tree.Merges[points.Rows-try].Height == 0 {
			break // the cut would separate equal points
		}
		if s.consider(points, s.tree.Tree.Cut(try)) {
			k = try
		}
	}
	s.Labels = s.Labels[:n]
	s.end(all)
	return max(k, 1)
}

// repeat returns the copies of points, each after all of those before it.
func (s *SelectK) repeat(points *Matrix) *Matrix {
	s.repeated.Reshape(s.Copies*points.Rows, points.Cols)
	for i := range s.repeated.Rows {
		copy(s.repeated.Row(i), points.Row(i%points.Rows))
	}
	return &s.repeated
}

// Means is [SelectK.Merge] with [KMeans] in place of the tree, as in the code of CFL-GP.
func (s *SelectK) Means(points *Matrix, most int, r Rand) (k int) {
	points.check()
	all := points.Rows
	points = s.finite.of(points)
	s.begin(points)
	for try := 2; try <= min(most, points.Rows-1); try++ {
		s.KMeans.Fit(points, try, r)
		if s.consider(points, s.KMeans.Labels) {
			k = try
		}
	}
	s.end(all)
	return max(k, 1)
}

// begin clears the last result.
func (s *SelectK) begin(points *Matrix) {
	s.Labels = resize(s.Labels, points.Rows)
	clear(s.Labels)
	s.Scores, s.best = s.Scores[:0], -1
}

// end gives labels to all points.
func (s *SelectK) end(all int) {
	found := s.Labels
	s.Labels = resize(s.Labels, all)
	s.finite.spread(s.Labels, found)
}

// consider scores labels, keeps them if they are the best so far, and reports whether they are the best.
func (s *SelectK) consider(points *Matrix, labels []int) bool {
	score, ok := s.separation.Silhouette(points, labels)
	s.Scores = append(s.Scores, score)
	bar := s.best
	if len(s.Scores) > 1 {
		bar += float64(s.Margin * max(s.best, -s.best))
	}
	if !ok || !(score > bar) {
		return false
	}
	s.best = score
	copy(s.Labels, labels)
	return true
}
