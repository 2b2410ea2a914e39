package engine_test

import (
	_ "embed"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"flockscope/sim/catalog"
	"flockscope/sim/testing/goldenlinks"
)

// Updating the golden links breaks every link that its changed rows stand for: the
// same link then shows another run. That needs a reason: a section of
// sim/experiment/CHANGES.md.
var (
	update = flag.Bool("update", false, "rewrite testdata/links.txt from the present fingerprints")
	why    = flag.String("why", "", "with -update: the heading in sim/experiment/CHANGES.md that explains changed values")
)

//go:embed testdata/links.txt
var goldenText string

// goldenQueries are links as people write them: every workload without a file,
// every algorithm, orders and spellings that are not canonical, odd values.
var goldenQueries = []string{
	"",
	"data=linreg&dphi=20&C=12&b=10&K=3&T=200&algos=cflgp,ifca&sd=1&sm=1&sa=1",
	"https://flockscope.example/?lesson=3&embed=1&data=linreg&dphi=5&algos=cflgp,cflgp:nomem,ifca&cflgp:nomem.beta=1&view=map#top",
	"dphi=40&D=3&algos=fedavg,cflgp",
	"data=mix1d&algos=ifca,clove",
	"data=mix1d&star=1.0,1.45&theta0=0,3.3&sigma=.1&algos=ifca,clove,cflgp,fedavg&sd=7",
	"data=mix1d&star=-2,0,2&theta0=&init=3&K=4&C=15&T=80&algos=clove,clove:roots&clove:roots.sqrt=on",
	"data=mix1d&theta0=0,0&algos=ifca,clove",
	"algos=local&T=50",
	"algos=clove&probe=100&T=60",
	"algos=clove,ifca&clove.probe=100&ifca.probe=10&T=60",
	"algos=ifca,ifca:all&ifca:all.divide=all&dphi=30&T=100",
	"algos=cflgp,cflgp:stop&cflgp:stop.stop=1&dphi=5&T=120&sd=3",
	"algos=cflgp&P=7&K=5&D=4&C=24&T=100",
	"algos=cflgp,ifca,clove&D=8&C=40&K=8&dphi=20&T=60",
	"algos=cflgp,ifca,clove,fedavg&C=1&D=1&K=1&T=20",
	"algos=cflgp,ifca,clove,local&dphi=0&sigma=0&T=20",
	"algos=cflgp,ifca&lr=10&T=40",
	"algos=fedavg,local,clove:fast,ifca&clove:fast.lr=3&lr=0.5&T=60",
	"algos=ifca&b=1&probe=2&sigma=5&T=50",
	"algos=cflgp,clove&dphi=79.5&D=2&init=10&sigma=0.001&T=60",
	"algos=cflgp,ifca&sd=4294967295&sm=0&sa=4294967295&T=40",
	"algos=cflgp,ifca&C=96&b=40&T=40",
	"algos=cflgp,clove&C=200&K=64&T=12",
	"algos=fedavg&T=1&b=10000",
	"K=2&C=17&D=5&algos=cflgp,ifca,clove&dphi=12.25&T=70&lr=0.123456789",
	"algos=cfl,icfl,stocfl,pacfl&T=30",
	"algos=kfed,fesem,flexcfl,fedem&T=30",
	"algos=fedclust,fedclust:layer&fedclust:layer.far=0.5&fedclust:layer.merge=max&T=30",
	"data=digits&net=mlp&algos=fedclust&avg=model&far=1&C=6&n=300&T=3",
	"data=mix2&algos=fedem,fedrc,hcfl&T=12",
	"data=mix2&algos=hcfl:both&hcfl:both.adapt=both&T=12",
	"data=pairs8&algos=cflgp,clove&T=20",
	"data=mixreg&algos=clove,kfed,ifca&T=6",
	"data=linrep&algos=fedavg,hcfl&T=6",
	"data=digits&algos=fedrc,hcflplus,fedem&avg=model&C=6&n=300&T=3",
	"data=digits&algos=cflgp,ifca,clove&C=8&n=400&T=4",
	"data=digits&algos=perfedavg,fedproto,fedala,fedpac&C=6&n=300&T=3",
	"data=digits&algos=fedsoft,stocfl&avg=model&C=6&n=300&T=3",
	"data=garments&net=cnn&algos=cflgp&C=4&n=120&b=8&T=3",
	"data=both&algos=clove,fedavg&C=6&n=300&T=3",
	"data=words&n=600&T=8&algos=cflgp,ifca,clove",
	"data=wireless&n=240&C=6&T=4&algos=cflgp,ifca,clove",
	"data=shapes&C=4&n=120&T=3&algos=cflgp,fedavg",
	"data=shapes&C=20&n=200&T=2&shift=corruptions&severity=3&net=softmax&augment=both&algos=fedavg",
	"data=digits&algos=fedgmm,hcfl&form=joint&avg=model&C=6&n=300&T=3",
	"data=digits&n=800&C=5&split=unequal&ratio=20&shift=none&net=softmax&avg=model&b=32&T=4&K=1&algos=fedavg,cfl,perfedavg,clove",
	"data=linreg&dphi=20&C=24&K=6&b=20&T=30&private=noise&gauss=0.5&rr=4&algos=ifca,stocfl,fesem,clove",
	"data=digits&net=softmax&angles=0,120,240&C=12&n=900&avg=model&tau=2&T=6&algos=ocfl,ocfl:two&ocfl:two.dense=4",
	"algos=fedavg,ifca,clove,clove:kmedians&mean=median&clove:kmedians.by=kmedians&C=12&liars=3&T=20",
	"algos=fedavg,cflgp&mean=krum&f=2&liars=2,5&lie=noise&cflgp.unit=1&cflgp.by=trimmed&T=20",
	"data=digits&net=softmax&C=9&n=300&T=4&every=2&liars=0,4&lie=inputs&mean=trimmed&algos=fedavg,fesem,fedpac",
	"data=digits&net=softmax&C=9&n=300&T=4&avg=model&liars=0.3&lie=collude&collusion=little&liescale=1&liefrom=2" +
		"&mean=geomedian&algos=cflgp,stocfl,hcflplus",
	"data=mix2&liars=2&lie=losses&mean=clipped&algos=ifca,clove,fedem&T=10",
	"data=garments&net=softmax&C=8&n=200&T=3&liars=2&lie=labels&mean=bulyan&algos=fedavg,fedproto",
	"data=digits&net=softmax&C=6&n=300&T=3&avg=model&pool=1&rho=0.3&algos=fedavg,fedavg:oracle&fedavg:oracle.told=groups",
}

// golden runs a query and returns its block of the golden links.
func golden(t *testing.T, query string) string {
	t.Helper()
	var b strings.Builder
	r := record(t, query, nil)
	fmt.Fprintf(&b, "query %s\n", query)
	fmt.Fprintf(&b, "canonical %s\n", r.header.Query)
	for i, s := range r.summaries {
		fmt.Fprintf(&b, "lane %s %016x\n", r.header.Lanes[i].ID, s.Fingerprint)
	}
	return b.String()
}

const goldenHead = `# Links and what they have always shown: the canonical text and the fingerprint
# of every lane, the same on every machine. Rewritten by
#
#	go test ./sim/engine -run TestGoldenLinks -update -why HEADING
#
# A changed value means that old links show another run. It needs a reason, a heading
# of sim/experiment/CHANGES.md; the old value stays in a line that begins with "was".

`

func TestGoldenLinks(t *testing.T) {
	blocks := make([]string, len(goldenQueries))
	for i, query := range goldenQueries {
		blocks[i] = golden(t, query)
	}
	text, _ := strings.CutPrefix(goldenText, goldenHead)
	kept := goldenlinks.Blocks(text)
	if *update {
		fresh, err := goldenlinks.Update(kept, blocks, *why)
		if err != nil {
			t.Fatal(err)
		}
		text := goldenHead + strings.Join(fresh, "\n\n") + "\n"
		if err := os.WriteFile("testdata/links.txt", []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	for _, difference := range goldenlinks.Differences(kept, blocks) {
		t.Error(difference)
	}
}

// TestGoldenLinksAreComplete: every workload without a file has a link that keeps it as it
// is. So has every method, see TestMethods.
func TestGoldenLinksAreComplete(t *testing.T) {
	shown := map[string]bool{}
	for _, query := range goldenQueries {
		shown[parse(t, query).Workload()] = true
	}
	var names []string
	for _, w := range catalog.Schema().Workloads {
		if !w.FromFile && !w.NeedFile {
			names = append(names, w.Name)
		}
	}
	for _, name := range names {
		if !shown[name] {
			t.Errorf("no golden link shows %s", name)
		}
	}
}

// TestGoldenLinksAreCanonical: the canonical text of a golden link is its own, and gives the
// same run.
func TestGoldenLinksAreCanonical(t *testing.T) {
	for _, query := range goldenQueries {
		canonical := parse(t, query).String()
		if again := parse(t, canonical).String(); again != canonical {
			t.Errorf("%q is %q, which is %q", query, canonical, again)
		}
		if testing.Short() {
			continue
		}
		first, second := record(t, query, nil), record(t, canonical, nil)
		for i, want := range first.fingerprints() {
			if got := second.fingerprints()[i]; got != want {
				t.Errorf("%q has fingerprint %016x in lane %d, and as %q %016x", query, want, i, canonical, got)
			}
		}
	}
}
