package engine_test

import (
	"os"
	"path/filepath"
	"testing"

	"flockscope/sim/ingest"
	"flockscope/sim/userfiles"
	"flockscope/sim/workload"
)

// mnist reads MNIST's four files from the directory that FLOCKSCOPE_MNIST names, and
// skips the test where there is none: the project has no data of others in it.
func mnist(t *testing.T) *workload.File {
	t.Helper()
	dir := os.Getenv("FLOCKSCOPE_MNIST")
	if dir == "" {
		t.Skip("FLOCKSCOPE_MNIST names no directory with MNIST's files")
	}
	paths, err := filepath.Glob(filepath.Join(dir, "*ubyte*"))
	if err != nil {
		t.Fatal(err)
	}
	var files []ingest.File
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, ingest.File{Name: path, Data: data})
	}
	file, err := userfiles.Read(files)
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// What the two papers claim about MNIST, on MNIST; TestPaperRotatedDigits and its
// neighbours say the like of drawn digits.

// TestMNISTRotated is CFL-GP's section 5.2, Tables 3 and 10: accuracies are 87.2 % for
// CFL-GP and 58.3 % for one model for all.
func TestMNISTRotated(t *testing.T) {
	file := mnist(t)
	const cflgp, fedavg, ifca = 0, 1, 2
	for _, clients := range []string{"16", "32", "64"} {
		t.Run("C="+clients, func(t *testing.T) {
			runs := overSeedsOf(t, file,
				"data=samples&shift=rotations&K=4&P=2&b=64&probe=64&lr=0.1&net=mlp&hidden=200&exam=0&every=200&T=200&algos=cflgp,fedavg,ifca&C="+clients,
				5)
			foundBy(t, runs, cflgp, 2)
			within(t, runs, cflgp, "accuracy", finalAccuracy, 0.872-0.015, 0.872+0.015)
			within(t, runs, fedavg, "accuracy", finalAccuracy, 0.583-0.02, 0.583+0.02)
			within(t, runs, ifca, "accuracy", finalAccuracy, 0.5, mean(runs, cflgp, finalAccuracy))
		})
	}
}

// TestMNISTDecimals is CFL-GP's Table 7 as far as clusters go: two decimals tell the
// groups apart, and one does not.
func TestMNISTDecimals(t *testing.T) {
	const lanes = "cflgp:0,cflgp:1,cflgp:2,cflgp:3&cflgp:0.nd=0&cflgp:1.nd=1&cflgp:2.nd=2&cflgp:3.nd=3"
	runs := overSeedsOf(t, mnist(t),
		"data=samples&shift=rotations&angles=0,90,180,270&C=40&K=4&P=2&b=100&lr=0.1&net=mlp&hidden=200&exam=0&every=200&T=200&algos="+lanes,
		3)
	within(t, runs, 0, "ARI", finalARI, -0.1, 0.1)
	within(t, runs, 1, "ARI", finalARI, -0.2, 0.2)
	for lane := 2; lane <= 3; lane++ {
		within(t, runs, lane, "ARI", finalARI, 1, 1)
	}
	for lane := range 4 {
		within(t, runs, lane, "accuracy", finalAccuracy, 0, 1) // for the record
	}
}

// TestMNISTCompression is CFL-GP's Figure 4: gradients compared at one in a thousand
// parameters tell the groups apart, if not at the first clustering.
func TestMNISTCompression(t *testing.T) {
	runs := overSeedsOf(t, mnist(t),
		"data=samples&shift=rotations&angles=0,90,180,270&C=80&K=4&P=2&b=100&lr=0.1&net=mlp&hidden=200&every=200&T=20&algos=cflgp,cflgp:some,cflgp:few&cflgp:some.cr=1000&cflgp:few.cr=10000",
		3)
	foundBy(t, runs, 0, 2)
	foundBy(t, runs, 1, 10)
	within(t, runs, 2, "ARI after the first clustering", ariAfter(2), -0.2, 0.9)
}

// TestMNISTLossVectors is CLoVE's Table 2, with the settings of its code.
func TestMNISTLossVectors(t *testing.T) {
	file := mnist(t)
	for name, query := range map[string]string{
		"label skew 1":  "shift=none&split=skew1&K=5&C=25&each=500&probe=500",
		"label skew 2":  "shift=none&split=skew2&K=5&C=25&each=500&probe=500",
		"feature skew":  "shift=rotations&angles=0,90,180,270&reuse=1&K=4&C=40&each=500&probe=500",
		"concept shift": "shift=none&concept=swaps&reuse=1&K=4&C=20&each=1000&probe=1000",
	} {
		t.Run(name, func(t *testing.T) {
			runs := overSeedsOf(t, file,
				"data=samples&net=cnn&b=100&test=set&avg=model&tau=1&opt=adam&lr=0.01&exam=0&every=5&T=6&algos=clove&"+query, 3)
			foundBy(t, runs, 0, 3)
		})
	}
}
