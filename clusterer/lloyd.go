package clusterer

// lloyd is one run of Lloyd's iteration from given centres.
type lloyd struct {
	centroids Matrix
	labels    []int
	inertia   float64
	steps     int

	nearest  []int     // new labels
	distance []float64 // squared, of each point to the centre that labels it
	trial    []float64 // the same for one centre
	shift    Matrix    // Σ (x − c) over the points of centre c
	count    []int     // points of each centre
}

// fit iterates from l.centroids, at most limit times, until no label changes or
// the squared movement of the centres is at most stop.
//
// In both cases its last step labels the points with the final centres, so the two agree,
// and the inertia is the sum of the distances just found. If no label changed, the centres are the means of those
// labels already.
func (l *lloyd) fit(points *Matrix, limit int, stop float64) {
	k := l.centroids.Rows
	l.labels = resize(l.labels, points.Rows)
	l.nearest = resize(l.nearest, points.Rows)
	l.distance = resize(l.distance, points.Rows)
	l.trial = resize(l.trial, points.Rows)
	l.count = resize(l.count, k)
	l.shift.Reshape(k, points.Cols)
	if useLoops.Lloyd != nil && points.Rows > 0 && points.Cols > 0 {
		l.steps = useLoops.Lloyd(&l.centroids, points, l.labels, l.distance, l.shift.Data, l.count, limit, stop)
	} else {
		l.iterate(points, limit, stop)
	}
	l.inertia = 0
	for _, d := range l.distance {
		l.inertia += d
	}
}

func (l *lloyd) iterate(points *Matrix, limit int, stop float64) {
	for i := range l.labels {
		l.labels[i] = -1 // so that the first labelling counts as a change
	}
	settled := false
	for l.steps = 0; l.steps < limit; {
		l.steps++
		if settled = !l.assign(points); settled {
			break
		}
		if l.move(points) <= stop {
			break
		}
	}
	if !settled {
		l.assign(points)
	}
}

// assign labels each point with its nearest centre, the first on ties, and
// reports whether any label changed.
func (l *lloyd) assign(points *Matrix) (changed bool) {
	clear(l.nearest)
	distances(l.distance, points, l.centroids.Row(0))
	for k := 1; k < l.centroids.Rows; k++ {
		distances(l.trial, points, l.centroids.Row(k))
		for i, d := range l.trial {
			if d < l.distance[i] {
				l.nearest[i], l.distance[i] = k, d
			}
		}
	}
	for i, k := range l.nearest {
		if k != l.labels[i] {
			changed = true
			break
		}
	}
	l.labels, l.nearest = l.nearest, l.labels
	return changed
}

// move takes each centre to the mean of its points and returns the sum of the
// squared movements.
//
// The mean is found as c + Σ(x−c)/n. That is exact where the points equal their
// centre, so identical points give an inertia of exactly 0, and it keeps digits
// where the points lie far from the origin.
func (l *lloyd) move(points *Matrix) (moved float64) {
	clear(l.shift.Data)
	clear(l.count)
	for i, k := range l.labels {
		l.count[k]++
		centre, shift := l.centroids.Row(k), l.shift.Row(k)
		for j, x := range points.Row(i) {
			shift[j] += x - centre[j]
		}
	}
	moved = l.relocate(points)

	biggest := 0
	for k, n := range l.count {
		if n > l.count[biggest] {
			biggest = k
		}
		if n == 0 {
			continue
		}
		centre, shift := l.centroids.Row(k), l.shift.Row(k)
		for j, s := range shift {
			s /= float64(n)
			centre[j] += s
			moved += float64(s * s)
		}
	}
	// A centre that is still empty joins the biggest cluster's, where a tie
	// keeps it empty, rather than stay where nothing is.
	for k, n := range l.count {
		if n == 0 {
			moved += squaredDistance(l.centroids.Row(biggest), l.centroids.Row(k))
			copy(l.centroids.Row(k), l.centroids.Row(biggest))
		}
	}
	return moved
}

// relocate puts each empty centre on the point farthest from its own centre,
// the second empty one on the second farthest, and returns the sum of the
// squared movements. Such a point no longer counts for its own centre, though
// it keeps its label until the next labelling. It stops when the points left
// all sit on their centres, as they do if there are fewer distinct points than
// centres.
func (l *lloyd) relocate(points *Matrix) (moved float64) {
	for k, n := range l.count {
		if n > 0 {
			continue
		}
		far := 0
		for i, d := range l.distance {
			if d > l.distance[far] {
				far = i
			}
		}
		if l.distance[far] == 0 {
			return moved
		}
		l.distance[far] = 0 // the point is taken

		own := l.labels[far]
		l.count[own]--
		centre, shift, row := l.centroids.Row(own), l.shift.Row(own), points.Row(far)
		for j, x := range row {
			shift[j] -= x - centre[j]
		}
		l.count[k] = 1
		moved += squaredDistance(row, l.centroids.Row(k))
		copy(l.centroids.Row(k), row) // the shift stays 0
	}
	return moved
}
