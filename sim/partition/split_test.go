package partition

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"flockscope/sim/dataset"
	"flockscope/sim/param"
	"flockscope/sim/rng"
	"flockscope/sim/say"
)

// held is everything a client holds.
func held(c Client) []int32 { return slices.Concat(c.Train, c.Test) }

func TestEvenIsContiguous(t *testing.T) {
	p := build(t, digits(), 7, 1)
	for i, c := range p.Clients {
		all := held(c)
		if slices.Min(all) != int32(i*500) || slices.Max(all) != int32(i*500+499) || len(all) != 500 {
			t.Errorf("client %d holds %d samples from %d to %d, want %d to %d", i, len(all), slices.Min(all),
				slices.Max(all), i*500, i*500+499)
		}
	}
	if c := build(t, digits(), 7, 1, "order=shuffled").Clients[0]; slices.Max(held(c)) < 1000 {
		t.Errorf("order=shuffled: client 0 holds neighbours only")
	}
}

func TestUnequalSizes(t *testing.T) {
	for _, ratio := range []float64{1, 3, 10, 100} {
		p := build(t, labelled(100_000, 10, 0), 20, 1, "split=unequal", fmt.Sprint("ratio=", ratio))
		var sizes []int
		for _, c := range p.Clients {
			sizes = append(sizes, len(held(c)))
		}
		least, most := spread(sizes)
		// Cuts are rounded down: each size is off by less than one.
		if got := float64(most) / float64(least); math.Abs(got/ratio-1) > 2/float64(least) {
			t.Errorf("ratio %v: sizes from %d to %d, ratio %v", ratio, least, most, got)
		}
		sum := 0
		for _, n := range sizes {
			sum += n
		}
		if sum != 100_000 {
			t.Errorf("ratio %v: sizes sum to %d, want all 100000", ratio, sum)
		}
		// Log-normal: logarithms of sizes are symmetric about their mean.
		slices.Sort(sizes)
		for i := range 10 {
			product := math.Log(float64(sizes[i])) + math.Log(float64(sizes[19-i]))
			middle := math.Log(float64(sizes[9])) + math.Log(float64(sizes[10]))
			if math.Abs(product-middle) > 4/float64(least) {
				t.Errorf("ratio %v: sizes %d and %d are not the mirror image of each other", ratio, sizes[i],
					sizes[19-i])
			}
		}
	}
}

func TestSkew1(t *testing.T) {
	for seed := uint64(1); seed <= 5; seed++ {
		p := build(t, digits(), 25, seed, "split=skew1")
		if p.Groups != 5 || groupNames(p)[3] != "classes 6 7" {
			t.Fatalf("skew1: groups %v", p.GroupNames)
		}
		for i, c := range p.Clients {
			if c.Group != i/5 {
				t.Errorf("skew1: client %d of 25 is in group %d, want %d", i, c.Group, i/5)
			}
			if got, want := present(countClasses(p.Set, held(c))), []int{2 * c.Group, 2*c.Group + 1}; !slices.Equal(got,
				want) {
				t.Errorf("skew1: client %d holds classes %v, want %v", i, got, want)
			}
		}
	}
}

func TestSkew2(t *testing.T) {
	seen := map[string]bool{}
	for seed := range uint64(60) {
		p := build(t, digits(), 25, seed, "split=skew2")
		var sets [][]int
		for g, samples := range groupSamples(p) {
			own := present(countClasses(p.Set, samples))
			if len(own) != 4 || p.GroupNames[g] != classWords(p.Set, own) {
				t.Errorf("seed %d: group %q holds classes %v, want four", seed, p.GroupNames[g], own)
			}
			for _, other := range sets {
				if n := common(own, other); n != 2 {
					t.Errorf("seed %d: %v and %v share %d classes, want 2", seed, own, other, n)
				}
			}
			sets = append(sets, own)
		}
		if len(sets) != 5 {
			t.Errorf("seed %d: %d groups, want 5", seed, len(sets))
		}
		seen[fmt.Sprint(sets)] = true
	}
	if len(seen) < 50 {
		t.Errorf("60 seeds draw %d different families, want nearly 60", len(seen))
	}
}

func TestSkew3(t *testing.T) {
	p := build(t, digits(), 25, 1, "split=skew3")
	for g, missing := range []int{9, 0, 1, 2, -1} {
		counts := countClasses(p.Set, groupSamples(p)[g])
		for c, n := range counts {
			if (n == 0) != (c == missing) {
				t.Errorf("skew3: group %d (%s) holds %d samples of class %d", g, p.GroupNames[g], n, c)
			}
		}
	}
}

// TestPairs: six groups of four classes hold every pair of them once.
func TestPairs(t *testing.T) {
	p := build(t, labelled(6000, 4, 0), 30, 1, "split=pairs")
	if p.Groups != 6 {
		t.Fatalf("%d groups, want 6", p.Groups)
	}
	found := map[string]bool{}
	for g, samples := range groupSamples(p) {
		pair := fmt.Sprint(present(countClasses(p.Set, samples)))
		if found[pair] || strings.Count(pair, " ") != 1 {
			t.Errorf("group %d (%s) holds the classes %s", g, p.GroupNames[g], pair)
		}
		found[pair] = true
	}
}

// TestOwnersRule: whatever the draw, an owner of a class gets its part of the
// reserve of 10 %, a group no less than the least size, and no sample is left.
func TestOwnersRule(t *testing.T) {
	set := labelled(12_000, 10, 0)
	for _, name := range []string{"skew1", "skew2", "skew3", "pairs"} {
		for seed := uint64(1); seed <= 20; seed++ {
			p := build(t, set, map[bool]int{true: 45, false: 5}[name == "pairs"], seed, "split="+name)
			split := must(Splits.Lookup(name)).Make.Make
			s, err := split(settings(t, "split="+name), set, seed)
			if err != nil {
				t.Fatal(err)
			}
			o := s.(*owners)
			owned := 0
			for g, c := range p.Clients {
				counts := countClasses(set, held(c))
				// Of MNIST's 60,000 at least 6000, or 5100 in the second skew.
				least := map[string]int{"skew1": 1200, "skew2": 1020, "skew3": 1200, "pairs": 133}[name]
				if n := len(held(c)); least == 0 || n < least {
					t.Errorf("%s, seed %d: group %d holds %d samples, want at least %d of 12000", name, seed, g,
						n, least)
				}
				for class, n := range counts {
					k := 0
					for _, classes := range o.classes {
						if slices.Contains(classes, class) {
							k++
						}
					}
					owned += n
					if slices.Contains(o.classes[g], class) && n < 1200/10/k-1 {
						t.Errorf("%s, seed %d: group %d holds %d of 1200 samples of class %d, want a reserve of %d",
							name, seed, g, n, class, 120/k)
					}
				}
			}
			want := 12_000
			if name == "skew2" {
				want = 1200 * len(present(countClasses(set, slices.Concat(groupSamples(p)...))))
			}
			if owned != want {
				t.Errorf("%s, seed %d: %d samples dealt, want all %d that are owned", name, seed, owned, want)
			}
		}
	}
}

func must[T any](v T, ok bool) T {
	if !ok {
		panic("not registered")
	}
	return v
}

// TestSkew4 counts: 18m of a group's own class and m of every other.
func TestSkew4(t *testing.T) {
	set := labelled(10*27*4+30, 10, 0)
	p := build(t, set, 50, 1, "split=skew4")
	if p.Groups != 10 {
		t.Fatalf("skew4: %d groups, want 10", p.Groups)
	}
	for g := range 10 {
		counts := make([]int, 10)
		for _, c := range p.Clients {
			if c.Group == g {
				for class, n := range countClasses(set, held(c)) {
					counts[class] += n
				}
			}
		}
		for class, n := range counts {
			want := 4
			if class == g {
				want = 18 * 4
			}
			if n != want {
				t.Errorf("skew4: group %d holds %d samples of class %d, want %d", g, n, class, want)
			}
		}
	}
}

func TestClasses(t *testing.T) {
	p := build(t, digits(), 25, 1, "split=classes", "per=5")
	if want := []string{"classes 0 1 2 3 4", "classes 5 6 7 8 9"}; !slices.Equal(groupNames(p), want) {
		t.Errorf("per=5: groups %q, want %q", p.GroupNames, want)
	}
	for i, c := range p.Clients {
		want := indices(5)
		if c.Group == 1 {
			want = []int{5, 6, 7, 8, 9}
		}
		if got := present(countClasses(p.Set, held(c))); !slices.Equal(got, want) {
			t.Errorf("per=5: client %d in group %d holds classes %v", i, c.Group, got)
		}
	}
	for seed := uint64(1); seed <= 10; seed++ {
		for _, per := range []int{1, 2, 4, 7, 10} {
			const clients = 20
			p := build(t, digits(), clients, seed, "split=classes", "pick=random", fmt.Sprint("per=", per))
			owners := make([]int, 10)
			for i, c := range p.Clients {
				own := present(countClasses(p.Set, held(c)))
				if len(own) != per || c.Group != -1 {
					t.Errorf("seed %d, per=%d at random: client %d in group %d holds classes %v", seed, per, i,
						c.Group, own)
				}
				for _, class := range own {
					owners[class]++
				}
			}
			if least, most := spread(owners); most-least > 2 {
				t.Errorf("seed %d, per=%d at random: classes have %v owners, want as even as can be", seed, per, owners)
			}
		}
	}
}

// TestManyOwners: classes that are fewer samples than owners leave nobody with nothing.
func TestManyOwners(t *testing.T) {
	for seed := range 5 {
		p := build(t, labelled(600, 10, 0), 80, uint64(seed), "split=classes", "pick=random", "per=10")
		least, most := len(p.Set.Label), 0
		for _, c := range p.Clients {
			least, most = min(least, len(c.Train)+len(c.Test)), max(most, len(c.Train)+len(c.Test))
		}
		if least < 7 || most > 8 {
			t.Errorf("seed %d: clients hold %d to %d samples, want 7 or 8 each of 600", seed, least, most)
		}
	}
}

// TestOneGroup: where all would be in one group, nobody is planted anywhere, and it is
// said whether clients differ at all.
func TestOneGroup(t *testing.T) {
	for _, tt := range []struct {
		words []string
		why   say.Message
	}{
		{[]string{"shift=rotations", "angles=45"}, noneDiffers},
		{[]string{"split=classes", "per=10"}, noneDiffers},
		{[]string{"split=classes", "per=10", "pick=random"}, noneDiffers},
		{[]string{"split=unequal"}, noneDiffers},
		{[]string{"split=dirichlet"}, nonePlanted},
	} {
		p := build(t, digits(), 6, 1, tt.words...)
		if p.Groups != 0 || p.NoGroupsWhy != tt.why || p.Clients[0].Group != -1 {
			t.Errorf("%v: %d groups, client 0 in %d, %q, want none and %q", tt.words, p.Groups, p.Clients[0].Group,
				p.NoGroupsWhy, tt.why)
		}
	}
}

// TestOrderOfTheSet: equal shares of neighbours are alike where the set has its classes
// in no order, and otherwise it is not said that nothing sets clients apart.
func TestOrderOfTheSet(t *testing.T) {
	for _, tt := range []struct {
		name  string
		sort  bool
		order string
		even  bool
	}{
		{"mixed", false, "order=file", true},
		{"mixed and shuffled", false, "order=shuffled", true},
		{"sorted", true, "order=file", false},
		{"sorted, but shuffled", true, "order=shuffled", true},
	} {
		for seed := range uint64(40) {
			set := dataset.Digits(seed, 240)
			if tt.sort {
				slices.Sort(set.Label)
			}
			if got := Mixed(set); got == tt.sort {
				t.Errorf("%s, seed %d: the set is mixed: %v", tt.name, seed, got)
			}
			for _, clients := range []int{2, 16} {
				p := build(t, set, clients, seed, tt.order)
				if why := map[bool]say.Message{true: noneDiffers, false: nonePlanted}[tt.even]; p.Even != tt.even ||
					p.NoGroupsWhy != why {
					t.Errorf("%s, seed %d: %d clients hold the same mixture: %v, %q; want %v, %q", tt.name, seed,
						clients, p.Even, p.NoGroupsWhy, tt.even, why)
				}
			}
		}
	}
	// How often chance alone is taken for more: less than once in 20,000 times.
	wrong := 0
	var s rng.Stream
	for range 2000 {
		counts := make([][]int, 4)
		for i := range counts {
			counts[i] = make([]int, 3)
			for range 20 {
				counts[i][s.IntN(3)]++
			}
		}
		if !sameUpToChance(counts) {
			wrong++
		}
	}
	if wrong > 1 {
		t.Errorf("of 2000 tables by chance %d are taken for something else", wrong)
	}
}

func TestWriters(t *testing.T) {
	set := labelled(2600, 10, 26)
	owner := func(seed uint64, clients int, words ...string) (names []string) {
		p := build(t, set, clients, seed, append(words, "split=writers")...)
		for i, c := range p.Clients {
			for _, sample := range held(c) {
				if set.Writers[set.Writer[sample]] != c.Owner {
					t.Fatalf("client %d, %s, holds sample %d of another writer", i, c.Owner, sample)
				}
			}
			names = append(names, c.Owner)
		}
		return names
	}
	for seed := uint64(1); seed <= 3; seed++ {
		all := owner(seed, 26)
		if few := owner(seed, 5); !slices.Equal(few, all[:5]) {
			t.Errorf("seed %d: five clients are %v, want the first of %v", seed, few, all)
		}
		if tested := owner(seed, 26, "test=set"); !slices.Equal(tested, all) {
			t.Errorf("seed %d: with test=set clients are others", seed)
		}
	}
	// Where the set knows groups of writers, they are planted.
	set.Groups = []string{"left", "right"}
	for w := range set.Writers {
		set.Group = append(set.Group, int32(w%2))
	}
	p := build(t, set, 11, 1, "split=writers")
	if !slices.Equal(groupNames(p), set.Groups) {
		t.Errorf("groups %v, want %v", p.GroupNames, set.Groups)
	}
	for i, c := range p.Clients {
		if w := set.Writer[c.Train[0]]; int(set.Group[w]) != c.Group {
			t.Errorf("client %d, %s, is in group %d, want %d", i, c.Owner, c.Group, set.Group[w])
		}
	}
}

// TestWritersOfUnequalGroups: clients are spread over groups as writers are, so that
// all writers can take part, and there are never more clients than writers in a group.
func TestWritersOfUnequalGroups(t *testing.T) {
	set := labelled(2600, 10, 13)
	set.Groups = []string{"small", "large"}
	for w := range set.Writers {
		set.Group = append(set.Group, int32(min(1, w/3)))
	}
	for clients := 1; clients <= 13; clients++ {
		p := build(t, set, clients, 1, "split=writers")
		owners, count := map[string]bool{}, make([]int, 2)
		for _, c := range p.Clients {
			owners[c.Owner] = true
			count[set.Group[set.Writer[c.Train[0]]]]++
		}
		if len(owners) != clients || math.Abs(float64(count[0])-float64(clients)*3/13) > 1 {
			t.Errorf("%d clients are %d writers, %v of them in groups of 3 and 10", clients, len(owners), count)
		}
	}
	_, err := Build(settings(t, "split=writers"), set, 14, 1)
	e := new(param.Error)
	if !errors.As(err, &e) || !slices.Contains(e.Suggestions, param.Suggestion{Key: "C", Value: "13"}) {
		t.Errorf("14 clients of 13 writers: %v, want a refusal that offers 13", err)
	}
}

// TestWritersWithTooFew: a writer with nothing to be tested on beside what there is to
// train on is left out, and so is a group of such writers.
func TestWritersWithTooFew(t *testing.T) {
	set := labelled(700, 10, 7)
	lone := int32(len(set.Writers))
	set.Writers = append(set.Writers, "lone")
	set.Writer[0] = lone // one sample, which is in the part to train on
	set.Groups = []string{"nobody", "all"}
	for w := range set.Writers {
		set.Group = append(set.Group, 1)
		if w == int(lone) {
			set.Group[w] = 0
		}
	}
	for _, test := range []string{"test=share", "test=set"} {
		p := build(t, set, 7, 1, "split=writers", test)
		for i, c := range p.Clients {
			if c.Owner == "lone" || p.Groups != 0 {
				t.Errorf("%s: client %d is %s, and there are groups %q; want nobody who has one sample, and no group",
					test, i, c.Owner, p.GroupNames)
			}
		}
	}
}

// TestDomains: of domains without writers of their own, several clients hold equal
// shares, and are tested on samples of their own domain.
func TestDomains(t *testing.T) {
	set := labelled(2600, 10, 4)
	set.Groups, set.Group, set.Domains = set.Writers, []int32{0, 1, 2, 3}, true
	for _, test := range []string{"test=share", "test=set"} {
		p := build(t, set, 20, 1, "split=writers", test)
		if !slices.Equal(groupNames(p), set.Groups) {
			t.Errorf("%s: the groups are %q, want the domains %q", test, p.GroupNames, set.Groups)
		}
		seen := map[int32]bool{}
		for i, c := range p.Clients {
			if c.Group != i/5 || c.Owner != "" || len(c.Train) < 80 || len(c.Train) > 120 {
				t.Errorf("%s: client %d of 20 is in domain %d, is %q and trains on %d samples, want domain %d, nobody and about a fifth of its 650", test, i, c.Group, c.Owner, len(c.Train), i/5)
			}
			for _, sample := range held(c) {
				if int(set.Writer[sample]) != c.Group || seen[sample] {
					t.Fatalf("%s: client %d of domain %d holds sample %d of domain %d, held before: %v", test, i,
						c.Group, sample, set.Writer[sample], seen[sample])
				}
				seen[sample] = true
			}
		}
	}
}

// estimate is a running mean with its standard error.
type estimate struct{ n, sum, squares float64 }

func (e *estimate) add(x float64) { e.n++; e.sum += x; e.squares += x * x }

// check compares with want, to five standard errors and a margin for rounding.
func (e *estimate) check(t *testing.T, what string, want, margin float64) {
	t.Helper()
	mean := e.sum / e.n
	slack := 5*math.Sqrt(max(0, e.squares/e.n-mean*mean)/e.n) + margin
	if math.Abs(mean-want) > slack {
		t.Errorf("%s = %v, want %v ± %.2g", what, mean, want, slack)
	}
}

// unevenness returns the mean square of the shares' distances from 1/n.
func unevenness(counts []int) float64 {
	sum := 0
	for _, n := range counts {
		sum += n
	}
	squares := 0.0
	for _, n := range counts {
		d := float64(n)/float64(sum) - 1/float64(len(counts))
		squares += d * d
	}
	return squares / float64(len(counts))
}

// TestDirichletShares: over seeds the clients' shares of a class have the
// variance of Dirichlet(α, …, α).
func TestDirichletShares(t *testing.T) {
	const clients, seeds = 10, 100
	set := labelled(5000, 10, 0)
	for _, alpha := range []float64{0.5, 1, 10} {
		var got estimate
		for seed := range uint64(seeds) {
			p := build(t, set, clients, seed, "split=dirichlet", fmt.Sprint("alpha=", alpha))
			shares := make([][]int, 10) // of each class, by client
			for _, c := range p.Clients {
				for class, n := range countClasses(set, held(c)) {
					shares[class] = append(shares[class], n)
				}
			}
			for _, counts := range shares {
				got.add(unevenness(counts))
			}
		}
		total := clients * alpha
		// Counts of 500 are off by less than one.
		got.check(t, fmt.Sprintf("α = %v: variance of a share", alpha), alpha*(total-alpha)/(total*total*(total+1)),
			1./(500*500))
	}
}

// TestLDA: equal sizes, and the first client's classes are Dirichlet(α·p) with
// p even, so α/10 each: far more skewed than Dirichlet(α) would be.
func TestLDA(t *testing.T) {
	const clients, seeds = 10, 300
	set := labelled(5000, 10, 0)
	for _, alpha := range []float64{1, 10} {
		var got estimate
		for seed := range uint64(seeds) {
			p := build(t, set, clients, seed, "split=dirichlet", "drawby=client", fmt.Sprint("alpha=", alpha))
			for i, c := range p.Clients {
				if n := len(held(c)); n != 500 {
					t.Fatalf("seed %d: client %d holds %d samples, want 500", seed, i, n)
				}
			}
			got.add(unevenness(countClasses(set, held(p.Clients[0]))))
		}
		// The variance of a share q of Dirichlet(α/10, …), and that of 500
		// draws by q: E q(1−q)/500.
		variance := 0.1 * 0.9 / (alpha + 1)
		got.check(t, fmt.Sprintf("α = %v: variance of a class in the first hand", alpha),
			variance+(0.1-variance-0.01)/500, 0)
	}
}

// TestLDALeftovers: classes run out on the way, and still every sample goes to
// exactly one client when the sizes come out even.
func TestLDALeftovers(t *testing.T) {
	set := labelled(2000, 10, 0)
	for seed := range uint64(20) {
		p := build(t, set, 20, seed, "split=dirichlet", "drawby=client", "alpha=0.1")
		n := 0
		for _, c := range p.Clients {
			n += len(held(c))
		}
		if n != 2000 {
			t.Errorf("seed %d: %d of 2000 samples dealt", seed, n)
		}
	}
}

func TestSplitsNeedNoPixels(t *testing.T) {
	set := labelled(3000, 10, 26)
	for _, e := range Splits.All() {
		build(t, set, 10, 1, "split="+e.Name)
	}
}
