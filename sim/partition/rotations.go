package partition

import (
	"math"
	"slices"

	"flockscope/sim/dataset"
	"flockscope/sim/param"
	"flockscope/sim/registry"
	"flockscope/sim/say"
)

func init() {
	Shifts.Register(registry.Entry[ShiftMaker]{
		Meta: registry.Meta{
			Name:  "rotations",
			Title: "Rotated pictures",
			Doc:   "Every client sees its samples rotated by one angle; clients with nearby angles form a group.",
			Paper: registry.CFLGP.At("section 5.2"),
			Fields: []param.Field{
				{Name: "angles", Label: "Angles", Section: param.Data, Unit: "°", Kind: param.Numbers, MinCount: 1, MaxCount: 16, Min: -360, Max: 360, Default: "0,15,90,105,180,195,270,275",
					Doc: "Counter-clockwise. Each angle goes to the same number of clients."},
				{Name: "groupby", Label: "Groups are", Section: param.Data, Kind: param.Choice, Default: "near",
					Options: []param.Option{{Name: "near", Title: "angles near each other"},
						{Name: "each", Title: "one for each angle"}},
					Doc: "Which clients form a group."},
				{Name: "near", Label: "Same group within", Section: param.Data, Unit: "°", Kind: param.Float, Min: 0, Max: 180, High: 90, Step: 1, Default: "20", Advanced: true,
					Doc: "Neighbouring angles at most this far apart form one group."},
				{Name: "resample", Label: "Pixels", Section: param.Data, Kind: param.Choice, Default: "nearest", Advanced: true,
					Options: []param.Option{{Name: "nearest", Title: "nearest"},
						{Name: "bilinear", Title: "bilinear"}},
					Doc: "Interpolation of rotated images. The paper's program uses the nearest pixel."},
			},
		},
		Make: makeRotations,
	})
}

func makeRotations(v param.Values, set *dataset.Set, _ uint64) (Shift, error) {
	if err := needImages("rotations", set); err != nil {
		return Shift{}, err
	}
	angles := v.Numbers("angles")
	near := v.Float("near")
	if v.Text("groupby") == "each" {
		near = 0
	}
	shift := Shift{Kinds: Kinds{Group: chain(angles, near)}}
	shift.Groups = make([]say.Message, 1+slices.Max(shift.Group))
	for g := range shift.Groups {
		var words []say.Message
		for i, a := range angles {
			if word := degrees(a); shift.Group[i] == g && !slices.Contains(words, word) {
				words = append(words, word)
			}
		}
		shift.Groups[g] = say.ListMessage(words)
	}
	views := make([]View, len(angles))
	for i, a := range angles {
		switch {
		case normalizedAngle(a) == 0: // unchanged
		case v.Text("resample") == "bilinear":
			views[i] = rotateBilinear(set.Shape, a)
		default:
			views[i] = rotate(set.Shape, a)
		}
	}
	shift.View = func(kind, _ int) View { return views[kind] }
	return shift, nil
}

// chain returns groups of angles by single linkage on the circle: neighbouring angles at most near
// apart are in one group. Groups are numbered by their first angle in the list.
func chain(angles []float64, near float64) []int {
	n := len(angles)
	at := make([]float64, n) // 0 ≤ at < 360
	order := make([]int, n)
	for i, a := range angles {
		at[i], order[i] = math.Mod(math.Mod(a, 360)+360, 360), i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		if at[a] < at[b] {
			return -1
		}
		if at[a] > at[b] {
			return 1
		}
		return 0
	})
	// Around the circle, a new group starts at every gap wider than near. The last group and the
	// first are one if the gap between them is not.
	walk := make([]int, n)
	groups := 0
	for j, i := range order {
		if j > 0 && at[i]-at[order[j-1]] > near {
			groups++
		}
		walk[i] = groups
	}
	if last, first := order[n-1], order[0]; at[first]+360-at[last] <= near {
		for i := range walk {
			if walk[i] == groups {
				walk[i] = 0
			}
		}
	}
	number := slices.Repeat([]int{-1}, groups+1)
	next := 0
	for i, g := range walk {
		if number[g] < 0 {
			number[g] = next
			next++
		}
		walk[i] = number[g]
	}
	return walk
}
