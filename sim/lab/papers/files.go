package papers

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"flockscope/sim/say"
)

// Files are a user's files in place of the samples that a program draws.
type Files struct {
	Name     string   // of the set, such as MNIST
	Rights   string   // whose it is, and its licence; "" where nobody knows
	From     string   // the files, with their checksums
	Kind     string   // what a sample is: "images of 28 × 28"
	Texts    bool     // samples are texts, not images
	Samples  int      // in all
	Settings []string // that they need, as key=value; a sweep's own win
	Hash     string   // as in [plan.Plan]
}

// On returns the sweep with its samples from files: images in the place of drawn digits,
// texts in that of drawn texts. Their number n becomes the number of samples that are used.
func (s *Sweep) On(f *Files) (*Sweep, error) {
	if s.Real == "" {
		why := "its data are " + strings.TrimSuffix(s.Data, ".")
		if len(s.Cannot) > 0 {
			why = strings.Join(s.Cannot, " ")
		}
		return nil, fmt.Errorf("%s does not run on files: %s", s.Name, why)
	}
	if f.Texts != s.Texts() {
		kind := map[bool]string{true: "texts", false: "images"}
		return nil, fmt.Errorf("%s does not run on these files: it needs %s, and they have %s", s.Name, kind[s.Texts()],
			kind[f.Texts])
	}
	out := *s
	var used []int
	settings, differs := s.instead[0], s.instead[1]
	out.draft.Query = onFiles(instead(s.draft.Query, settings), &used)
	out.rows = slices.Clone(s.rows)
	for i := range out.rows {
		out.rows[i][1] = onFiles(s.rows[i][1], &used)
	}
	out.settings, out.draft.Data = f.Settings, f.Hash
	out.onFiles = true

	low, high := f.Samples, 0
	for _, n := range used {
		low, high = min(low, n), max(high, min(n, f.Samples))
	}
	number := say.Whole(low)
	if low < high {
		number += " to " + say.Whole(high)
	}
	_, paper, _ := strings.Cut(s.Data, "; ")
	out.Data = fmt.Sprintf("%s, %s of %s %s, chosen anew with each data seed, from %s; %s", f.Name, number,
		say.Whole(f.Samples), f.Kind, f.From, paper)
	out.Differs = slices.Clone(s.Differs)
	if differs != "" {
		out.Differs = []string{differs}
	}
	if f.Name != s.Real {
		out.Differs = append(out.Differs, "The paper's numbers are those of "+s.Real+".")
	}
	out.About = append(slices.Clone(s.About), "A link opens a run on the same files: drop them on the page when it asks for them.")
	return &out, nil
}

// instead returns settings with those of others in their place.
func instead(settings, others string) string {
	if others == "" {
		return settings
	}
	parts := strings.Split(settings, "&")
	for other := range strings.SplitSeq(others, "&") {
		key, _, _ := strings.Cut(other, "=")
		parts = slices.DeleteFunc(parts, func(part string) bool { return strings.HasPrefix(part, key+"=") })
		parts = append(parts, other)
	}
	return strings.Join(parts, "&")
}

// onFiles changes settings that name drawn samples into those of files, and notes how many
// samples they name.
func onFiles(settings string, used *[]int) string {
	parts := strings.Split(settings, "&")
	for i, part := range parts {
		switch key, value, _ := strings.Cut(part, "="); {
		case part == drawnDigits, part == drawnTexts:
			parts[i] = "data=samples"
		case key == "n":
			n, _ := strconv.Atoi(value)
			*used = append(*used, n)
			parts[i] = "use=" + value
		}
	}
	return strings.Join(parts, "&")
}

// The settings that files may stand in for.
const (
	drawnDigits = "data=digits"
	drawnTexts  = "data=words"
)

// drawn returns the one of these settings that the sweep has, "" for none.
func (s *Sweep) drawn() string {
	for _, setting := range []string{drawnDigits, drawnTexts} {
		if slices.Contains(strings.Split(s.draft.Query, "&"), setting) {
			return setting
		}
	}
	return ""
}

// Texts reports whether the files that may stand in for the samples hold texts, not images.
func (s *Sweep) Texts() bool { return s.drawn() == drawnTexts }
