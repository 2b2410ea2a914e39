package web_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"flockscope/sim/catalog"
	"flockscope/sim/experiment"
	"flockscope/sim/param"
	"flockscope/sim/testing/randquery"
	"flockscope/wasm/web"
)

// TestRules: a server without data refuses only what a run refuses, most of that, and with
// the same words.
func TestRules(t *testing.T) {
	for _, query := range []string{"data=both&net=linear", "data=wireless&guests=31",
		"data=linreg&algos=hcfl&weigh=labels",
		"data=linreg&algos=hcfl,ifca&hcfl.weigh=labels", "data=words&net=cnn", "data=words&shift=rotations", "data=garments&split=writers",
		"data=digits&guests=1", "data=wireless&split=skew1&D=5", "data=digits&net=autoencoder&guests=20", "data=digits&net=autoencoder&algos=hcfl&weigh=labels",
		"data=digits&split=classes&per=11", "data=digits&split=classes&per=3", "data=wireless&net=mlp&split=classes&per=4", "data=wireless&net=mlp&split=classes&D=4&per=3",
		"data=words&concept=beta&cbeta=11", "data=both&C=1"} {
		c, problems := web.Schema().Parse(query)
		if experiment.First(problems) != nil {
			t.Fatal(problems)
		}
		real, _ := catalog.Schema().Parse(query)
		var got, want *param.Error
		if !errors.As(web.Check(c), &got) || !errors.As(catalog.Check(real, nil), &want) || got.Field != want.Field ||
			got.Got != want.Got ||
			got.Want.String() != want.Want.String() || got.Hint.String() != want.Hint.String() && got.Hint != "" {
			t.Errorf("%s: %v, want %v", query, got, want)
		}
	}
	for _, query := range []string{"data=digits&hidden=6.5", "data=digits&net=autoencoder&code=64,1.5",
		"data=digits&net=autoencoder&code=", "data=digits&angles="} {
		_, here := web.Schema().Parse(query)
		_, there := catalog.Schema().Parse(query)
		if err := experiment.First(here); err == nil || err.Error() != experiment.First(there).Error() {
			t.Errorf("%s: %v without data, %v with them", query, err, experiment.First(there))
		}
	}
	if c, _ := web.Schema().Parse("data=garments&n=20&C=14"); web.Check(c) == nil {
		t.Error("14 clients with 20 samples are taken")
	}
	for _, query := range []string{"data=digits&split=classes&per=3&pick=random", "data=digits&split=classes&per=5",
		"data=wireless&net=mlp&split=classes&D=4&per=2", "data=wireless&net=mlp&guests=30", "data=digits&guests=30", "data=wireless&net=mlp&algos=hcfl&weigh=labels",
		"data=both", "data=linreg&algos=hcfl", "data=digits&algos=hcfl&weigh=labels"} {
		if c, problems := web.Schema().Parse(query); experiment.First(problems) != nil || web.Check(c) != nil {
			t.Errorf("%s: %v, %v", query, problems, web.Check(c))
		}
	}
	r := rand.New(rand.NewPCG(5, 5))
	both, runs := 0, 0
	for range 1500 {
		query := randquery.Small(r, catalog.Schema())
		real, problems := catalog.Schema().Parse(query)
		if experiment.First(problems) != nil || real.NeedsFile() {
			continue
		}
		c, _ := web.Schema().Parse(query)
		err := catalog.Check(real, nil)
		switch refused := web.Check(c); {
		case refused != nil && err == nil:
			t.Errorf("%s is refused with %v, and runs", query, refused)
		case refused != nil:
			both++
		}
		var e *param.Error
		errors.As(err, &e)
		// How many clients lie, and are assumed to, are conditions on several numbers.
		if err != nil && (e == nil || !slices.Contains([]string{"liars", "f", "mean"},
			e.Field[strings.LastIndexByte(e.Field, '.')+1:])) {
			runs++
		}
	}
	t.Logf("of %d refusals %d are made without data", runs, both)
	if both < runs*3/4 {
		t.Errorf("of %d refusals only %d are made without data: the test proves little", runs, both)
	}
}
