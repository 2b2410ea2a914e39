package workload

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"flockscope/sim/dataset"
	"flockscope/sim/param"
)

// twoSets is a file of two folders: 40 black images and 60 that are white at the top, of which three quarters are for
// training; labels count from 0 to 9.
func twoSets() *File {
	set := &dataset.Set{Name: "images", Shape: dataset.Image(4, 4, 1), Classes: 10, Train: 75,
		Writers: []string{"a", "b"}, Groups: []string{"a", "b"}, Group: []int32{0, 1}, Domains: true,
		ClassNames: make([]string, 10)}
	pixels := &dataset.Pixels{Size: 16}
	for i := range 100 {
		domain := i % 5 / 2 % 2 // 0 0 1 1 0: three of five
		image := make([]uint8, 16)
		if domain == 0 {
			image[0] = 255
		}
		set.Writer = append(set.Writer, int32(1-domain))
		set.Label = append(set.Label, uint8(i%10))
		pixels.Data = append(pixels.Data, image...)
	}
	set.Rows = pixels
	return &File{Set: set}
}

// With clean=1, half of the clients hold the first of two domains as it is, and the others the second, turned: groups are
// the first domain and the angles of the second.
func TestDomainsAsTwoSets(t *testing.T) {
	for _, test := range []string{"test=share", "test=set", "use=80"} {
		w := build(t, "samples", twoSets(), "C=6", "split=writers", "clean=1", "shift=rotations", "angles=0,90,180",
			"net=softmax", "scale=none", test).(*shared)
		group, groups := w.Groups()
		if want := []int{0, 0, 0, 1, 2, 3}; !slices.Equal(group, want) || groups != 4 {
			t.Errorf("%s: groups %v of %d, want %v of 4", test, group, groups, want)
		}
		if want := "[a 0° 90° 180°]"; fmt.Sprint(w.names) != want {
			t.Errorf("%s: the groups are %v, want %s", test, w.names, want)
		}
		row := make([]float32, 16)
		for i := range w.clients {
			h := &w.clients[i]
			if i < 3 && h.View != nil {
				t.Errorf("%s: client %d of the first domain has a view", test, i)
			}
			corner := map[int]int{3: 0, 4: 12, 5: 15}[i] // where a turn to the left takes the upper left corner
			for _, sample := range slices.Concat(h.Train, h.Test) {
				h.Drawer().Row(row, h.place, sample)
				lit := slices.Index(row, 1)
				if i < 3 && lit >= 0 || i >= 3 && lit != corner {
					t.Fatalf("%s: client %d sees a sample lit at %d", test, i, lit)
				}
			}
		}
	}
	e, _ := Registry.Lookup("samples")
	v := words("C=6", "sd=1")
	defaults(v, e.Fields)
	set(v, "split=writers", "clean=1", "net=softmax", "scale=none", "shift=none")
	one := twoSets()
	one.Set.Domains = false
	_, err := e.Make.Make(v.Values(), one)
	var wrong *param.Error
	if !errors.As(err, &wrong) || wrong.Field != "clean" {
		t.Errorf("without domains: %v, want a refusal of clean", err)
	}
}
