package experiment_test

import (
	"fmt"

	"flockscope/sim/catalog"
	"flockscope/sim/experiment"
)

// A query becomes a configuration. Its canonical text leaves out what equals a default.
func ExampleSchema_Parse() {
	c, problems := catalog.Schema().Parse("algos=cflgp,ifca&dphi=8&K=3&data=linreg")
	fmt.Println(c, len(problems))
	fmt.Println(c.Value("dphi"), c.Value("T"))
	// Output:
	// data=linreg&dphi=8&algos=cflgp,ifca 0
	// 8 200
}

// A value that is refused leaves the setting at its default. The problem says why.
func ExampleSchema_Parse_refused() {
	c, problems := catalog.Schema().Parse("dphi=900&algos=ifca")
	fmt.Println(c)
	fmt.Println(experiment.First(problems))
	// Output:
	// data=linreg&algos=ifca
	// dphi: got "900", want a number from 0 to 80
}

// A configuration never changes; With makes another one. A lane can have a value of its
// own.
func ExampleConfig_With() {
	c, _ := catalog.Schema().Parse("algos=cflgp,ifca")
	wide, err := c.With("ifca.K", "4")
	fmt.Println(wide, err)
	fmt.Println(c)
	// Output:
	// data=linreg&algos=cflgp,ifca&ifca.K=4 <nil>
	// data=linreg&algos=cflgp,ifca
}

func ExamplePreset() {
	fmt.Println(experiment.Preset("# Two methods\nalgos=cflgp,ifca\n\ndphi=8\n"))
	// Output: algos=cflgp,ifca&dphi=8
}
