package guide

import "flockscope/sim/param"

// Corruptions returns the options of the setting corrupt that name one corruption, in the order of the rows of
// [CorruptionSheet].
func Corruptions(f *param.Field) (out []param.Option) {
	for _, o := range f.Options {
		if !Several(o.Name) {
			out = append(out, o)
		}
	}
	return out
}

// Several reports whether an option of the setting corrupt stands for several corruptions.
func Several(option string) bool { return option == "all" || option == "hcfl" }

// CorruptionSheet is the path of a picture of all corruptions in the site: a row for each, with the clean picture and
// severities 1 to 5.
func CorruptionSheet(colour bool) string {
	if colour {
		return "assets/corruptions.png"
	}
	return "assets/corruptions-grey.png"
}
