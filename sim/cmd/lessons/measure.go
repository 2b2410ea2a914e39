package main

import (
	"math"
	"strconv"
	"strings"

	"flockscope/sim/lesson"
)

// value returns a measure over runs: the one of the lesson, or those of the seeds.
func value(m *lesson.Measure, runs []*lesson.State) float64 {
	sum, n := 0.0, 0.0
	for _, run := range runs {
		if v := m.Of(run); !math.IsNaN(v) {
			sum, n = sum+v, n+1
		}
	}
	if m.Over == lesson.Count {
		return sum
	}
	return sum / n
}

// text formats a value with a number of decimals.
func text(v float64, digits int) string {
	s := strconv.FormatFloat(v, 'f', digits, 64)
	if strings.Trim(s, "-0.") == "" {
		s = strings.TrimPrefix(s, "-") // no "-0"
	}
	return strings.Replace(s, "-", "−", 1)
}
