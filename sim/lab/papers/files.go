package papers

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"flockscope/sim/say"
)

// Files are a user's files that replace synthetic samples.
type Files struct {
	Name     string   // name of the set, such as MNIST
	Rights   string   // owner and licence; "" if unknown
	From     string   // names of the files, with checksums
	Kind     string   // kind of samples, such as "images of 28 × 28"
	Texts    bool     // samples are texts, not images
	Samples  int      // total number of samples
	Settings []string // settings that they need, as key=value; a sweep's own settings take precedence
	Hash     string   // hash as in [plan.Plan]
}

// provenance says where the samples are from, how a reader gets at them, and whose they are.
func (f *Files) provenance(how string) []string {
	out := []string{"The samples are from " + f.From + ". " + how}
	if f.Rights != "" {
		out = append(out, f.Rights)
	}
	return out
}

// On returns the sweep with samples from files: images instead of synthetic digits, and texts instead of synthetic
// texts. The number of samples n becomes the number of samples used.
func (s *Sweep) On(f *Files) (*Sweep, error) {
	if s.hasSets() {
		return s.onRows(f)
	}
	if len(s.Real) == 0 {
		why := "its data are " + strings.TrimSuffix(s.Data, ".")
		if len(s.Cannot) > 0 {
			why = strings.Join(s.Cannot, " ")
		}
		return nil, fmt.Errorf("%s does not run on files: %s", s.Name, why)
	}
	if s.OnlyFiles() && !slices.Contains(s.Sets(), f.Name) {
		return nil, s.NeedsFiles()
	}
	if s.drawn() == drawnPair && !slices.Contains(s.Sets(), f.Name) {
		return nil, fmt.Errorf("%s runs on the files of %s only, together; name both folders with -data", s.Name,
			strings.Join(s.Sets(), ", "))
	}
	if !s.OnlyFiles() && f.Texts != s.Texts() {
		kind := map[bool]string{true: "texts", false: "images"}
		return nil, fmt.Errorf("%s does not run on these files: it needs %s, and they have %s", s.Name, kind[s.Texts()],
			kind[f.Texts])
	}
	out := *s
	var used []int
	real := s.real(f.Name)
	if real.Settings != "" {
		out.replace(strings.Split(real.Settings, "&"))
	}
	if s.IsReduced { // the reduced form wins over everything
		out.replace(s.small)
	}
	out.draft.Query = onFiles(out.draft.Query, &used)
	out.rows = slices.Clone(out.rows)
	for i := range out.rows {
		out.rows[i].Settings = onFiles(out.rows[i].Settings, &used)
	}
	out.settings, out.draft.Data = f.Settings, f.Hash
	out.set = f.Name
	out.ofSet(real.Set)

	low, high := f.Samples, 0
	for _, n := range used {
		low, high = min(low, n), max(high, min(n, f.Samples))
	}
	number := say.Whole(low)
	if low < high {
		number += " to " + say.Whole(high)
	}
	_, paper, _ := strings.Cut(s.Data, "; ")
	share := fmt.Sprintf("%s of %s %s, chosen anew with each data seed", number, say.Whole(f.Samples), f.Kind)
	if low >= f.Samples {
		share = fmt.Sprintf("all %s %s", number, f.Kind)
	}
	out.Data = fmt.Sprintf("%s, %s; %s", f.Name, share, paper)
	out.Differs = slices.Clone(s.Differs)
	if real.Differs != "" {
		out.Differs = append(out.Differs, real.Differs)
	}
	if f.Name != real.Set {
		out.Differs = append(out.Differs, "The paper's numbers are those of "+real.Set+".")
	}
	drop := "drop them on the page when it asks for them."
	if strings.Contains(f.Name, Plus) {
		drop = "drop the folders of both sets on the page together when it asks for files, in the order of their names here."
	}
	out.Files = f.provenance("A link opens a run on the same files: " + drop)
	return &out, nil
}

// real returns the set of the paper with a name, or the first.
func (s *Sweep) real(name string) *Real {
	at := slices.IndexFunc(s.Real, func(r Real) bool { return r.Set == name })
	return &s.Real[max(0, at)]
}

// Sets returns the names of the sets of the paper whose files may take the place of synthetic samples.
func (s *Sweep) Sets() (out []string) {
	for _, r := range s.rows {
		if r.Set != "" && !slices.Contains(out, r.Set) {
			out = append(out, r.Set)
		}
	}
	for i := range s.Real {
		out = append(out, s.Real[i].Set)
	}
	return out
}

// onFiles replaces settings of synthetic samples by settings of files, and records how many samples they ask for.
func onFiles(settings string, used *[]int) string {
	parts := strings.Split(settings, "&")
	for i, part := range parts {
		switch key, value, _ := strings.Cut(part, "="); {
		case slices.Contains(drawnSets, part):
			parts[i] = "data=samples"
		case key == "n":
			n, _ := strconv.Atoi(value)
			*used = append(*used, n)
			parts[i] = "use=" + value
		}
	}
	return strings.Join(parts, "&")
}

// drawnSets are the settings of synthetic samples that files may replace: images, two sets of them, and texts.
var drawnSets = []string{"data=digits", "data=garments", "data=shapes", drawnPair, drawnTexts}

const (
	drawnPair  = "data=both"
	drawnTexts = "data=words"

	// Plus stands between the names of two sets whose files make one: "Fashion-MNIST + MNIST".
	Plus = " + "
)

// drawn returns the one of these settings that the sweep has, "" for none.
func (s *Sweep) drawn() string {
	parts := strings.Split(s.draft.Query, "&")
	if at := slices.IndexFunc(parts, func(part string) bool { return slices.Contains(drawnSets, part) }); at >= 0 {
		return parts[at]
	}
	return ""
}

// OnlyFiles reports whether nothing is drawn that files could replace: the sweep runs on files only.
func (s *Sweep) OnlyFiles() bool {
	return slices.Contains(strings.Split(s.draft.Query, "&"), "data=samples")
}

// NeedsFiles returns the error for a sweep that runs on files only, without them.
func (s *Sweep) NeedsFiles() error {
	return fmt.Errorf("%s runs on the files of %s only; name their folder with -data", s.Name, strings.Join(s.Sets(), ", "))
}

// Texts reports whether the files for this sweep must be texts, not images.
func (s *Sweep) Texts() bool { return s.drawn() == drawnTexts }
