//go:build !js

package cluster

import (
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"flockscope/sim/param"
)

// MaxParts is the maximum number of parts of a sweep.
const MaxParts = 100_000

// Part is the cells Index, Index + Count, Index + 2·Count, … of a plan.
type Part struct {
	Index, Count int
	From         string // source of the numbers, for messages
}

// PartOf returns the part of a sweep to compute: from "i/n" or, if text is empty, from the environment of a Slurm or
// Kubernetes job. parts is the number of parts if the environment does not contain it; 0 means unknown.
func PartOf(text string, parts int, env func(string) string) (Part, error) {
	if text != "" {
		i, n, ok := strings.Cut(text, "/")
		index, err1 := strconv.Atoi(i)
		count, err2 := strconv.Atoi(n)
		if !ok || err1 != nil || err2 != nil || index < 0 || count < 1 || count > MaxParts || index >= count {
			return Part{}, &param.Error{Field: "-shard", Got: text, Want: "i/n with i from 0 to n−1, such as 0/16"}
		}
		return Part{index, count, "from -shard"}, nil
	}
	if id := env("SLURM_ARRAY_TASK_ID"); id != "" {
		return slurmPart(env)
	}
	if id := env("JOB_COMPLETION_INDEX"); id != "" {
		index, err := strconv.Atoi(id)
		if err != nil || parts == 0 || index < 0 || index >= parts {
			return Part{}, fmt.Errorf("JOB_COMPLETION_INDEX is %q; -shards must say of how many, such as -shards 16", id)
		}
		return Part{index, parts, "from JOB_COMPLETION_INDEX"}, nil
	}
	return Part{Count: 1}, nil
}

// slurmPart returns the part of a task in a Slurm array.
func slurmPart(env func(string) string) (Part, error) {
	numbers := map[string]int{}
	for name, fallback := range map[string]string{"ID": "", "COUNT": "", "MIN": "0", "STEP": "1"} {
		text := env("SLURM_ARRAY_TASK_" + name)
		if text == "" {
			text = fallback
		}
		var err error
		if numbers[name], err = strconv.Atoi(text); err != nil {
			return Part{}, fmt.Errorf("SLURM_ARRAY_TASK_%s is %q; give -shard i/n", name, text)
		}
	}
	place := func(id int) int { return (id - numbers["MIN"]) / max(numbers["STEP"], 1) }
	index, count := place(numbers["ID"]), numbers["COUNT"]
	last, err := strconv.Atoi(env("SLURM_ARRAY_TASK_MAX"))
	if err == nil && place(last)+1 != count || index < 0 || index >= count {
		return Part{}, errors.New("the array of this Slurm job has gaps, so its tasks cannot be counted; give -shard i/n")
	}
	return Part{index, count, "from SLURM_ARRAY_TASK_ID"}, nil
}

// Name returns the name of the part's file: results-03-of-16.flock for results.flock.
func (p Part) Name(file string) string {
	if p.Count == 1 || file == "" {
		return file
	}
	ext := filepath.Ext(file)
	return fmt.Sprintf("%s-%0*d-of-%d%s", strings.TrimSuffix(file, ext), len(strconv.Itoa(p.Count-1)), p.Index, p.Count,
		ext)
}
