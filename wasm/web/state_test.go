package web_test

import (
	"testing"

	"flockscope/ui/page"
	"flockscope/wasm/web"
)

// The server and the page write the same state as the same text: a text that the page sends
// is stored unchanged, and opens the same state.
func TestTextMatchesPage(t *testing.T) {
	for _, query := range []string{
		"data=linreg&algos=cflgp,ifca&t=0",
		"data=linreg&dphi=8&algos=cflgp,clove&t=14&lane=2&sel=3&view=losses&curve=loss&theme=dark&speed=0.25&zoom=1&map=3d",
		"data=linreg&algos=cflgp,cflgp:b,clove:s&cflgp:b.beta=1&clove:s.K=5&clove:s.sqrt=1&sd=7&sa=2&t=199&view=curves&curve=misplaced&theme=light&speed=4&map=3d.250.10",
		"data=mix1d&star=1,-2&theta0=&algos=local&t=60",
		"data=linreg&dphi=40&algos=fedavg,cflgp&t=7&curve=loss&theme=dark&lang=zh&speed=2&lesson=1&zoom=1&autostop=0&scent=0",
	} {
		state, problems := web.ReadState(web.Schema(), query)
		if len(problems) > 0 || state.Text() != query {
			t.Errorf("%q is %q, %v", query, state.Text(), problems)
		}
		if got := page.New(web.Schema(), "?"+query).Query(); got != query {
			t.Errorf("to the page, %q is %q", query, got)
		}
	}
}

// Values that a link ignores, and values that it corrects.
func TestReadState(t *testing.T) {
	const usual, first = "data=linreg&algos=cflgp,ifca", "data=linreg&dphi=8&algos=cflgp,ifca&t=26"
	const near = "data=linreg&dphi=8&algos=cflgp,ifca"
	tests := []struct {
		query, want string
		problems    int
	}{
		{"", first, 0},
		{"t=0&lane=1", near + "&t=0", 0},
		{"t=201", near + "&t=200", 0},
		{"lang=zh", first + "&lang=zh", 0},
		{"embed=1&theme=dark&t=7", near + "&t=7&theme=dark", 0},
		{"lesson=99", first + "&lesson=99", 1},
		{"t=20&T=10", "data=linreg&T=10&algos=cflgp,ifca&t=10", 0},
		{"t=014&sel=+1&lane=3", near + "&t=14&sel=1", 1},
		{"t=5&t=6", near + "&t=5", 1},
		{"t=-1&sel=x", near, 2},
		{"lesson=2", "data=mix1d&algos=ifca,clove&lesson=2", 0},
		{"lesson=2&K=4&t=5&scent=0&lang=zh", "data=mix1d&K=4&algos=ifca,clove&t=5&lang=zh&lesson=2&scent=0", 0},
		{"lesson=2&data=linreg&dphi=3", "data=linreg&dphi=3&algos=cflgp,ifca&lesson=2", 0},
		{"view=<b>&theme=DARK&curve=a+b&speed=" + "1111111111111111111111", first + "&theme=dark", 3},
		{"embed=1&controls=none&autoplay=1&origin=x&id=7&engine=main&v=1", first, 0},
		{"zoom=1&t=3&dphi=900&x=1", usual + "&t=3&zoom=1", 2},
	}
	for _, tt := range tests {
		got, problems := web.ReadState(web.Schema(), tt.query)
		if got.Text() != tt.want || len(problems) != tt.problems {
			t.Errorf("%q is %q with %v, want %q with %d problems", tt.query, got.Text(), problems, tt.want, tt.problems)
		}
	}
}

// A link without a round shows the same one on the page and on the server, and the server keeps the
// link as it is.
func TestRestingRound(t *testing.T) {
	for query, round := range map[string]int{
		"data=linreg&dphi=20": 200, "algos=ifca,clove": 200, "cflgp.P=7&T=50": 44, "data=mix1d&algos=local": 60,
		"": 26, "lang=zh": 26, "lesson=2": 0, "t=3": 3, "dphi=5&t=0": 0,
	} {
		state, _ := web.ReadState(web.Schema(), query)
		opened := page.New(web.Schema(), "?"+query)
		if state.Round() != round || opened.Round != round {
			t.Errorf("%q shows round %d on the server and %d on the page, want %d", query, state.Round(), opened.Round, round)
		}
	}
	if s, _ := web.ReadState(web.Schema(), "dphi=20"); s.Text() != "data=linreg&algos=cflgp,ifca" {
		t.Errorf("the server keeps %q", s.Text())
	}
}
