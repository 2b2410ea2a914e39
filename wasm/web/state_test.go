package web_test

import (
	"testing"

	"flockscope/ui/page"
	"flockscope/wasm/web"
)

// The server and the page write the same state in the same words: what the
// page asks to be stored is stored as it is, and opens as it was.
func TestTextIsThePages(t *testing.T) {
	for _, query := range []string{
		"data=linreg&algos=cflgp,ifca",
		"data=linreg&dphi=8&algos=cflgp,clove&t=14&lane=2&sel=3&view=losses&curve=loss&theme=dark&speed=0.25&zoom=1&map=3d",
		"data=linreg&algos=cflgp,cflgp:b,clove:s&cflgp:b.beta=1&clove:s.K=5&clove:s.sqrt=1&sd=7&sa=2&view=curves&curve=misplaced&theme=light&speed=4&map=3d.250.10",
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

// What a link does not keep, and what it puts right.
func TestReadState(t *testing.T) {
	const usual, first = "data=linreg&algos=cflgp,ifca", "data=linreg&dphi=8&algos=cflgp,ifca&t=25"
	tests := []struct {
		query, want string
		problems    int
	}{
		{"", first, 0},
		{"t=0&lane=1", usual, 0},
		{"t=201", usual + "&t=200", 0},
		{"t=20&T=10", "data=linreg&T=10&algos=cflgp,ifca&t=10", 0},
		{"t=014&sel=+1&lane=3", usual + "&t=14&sel=1", 1},
		{"t=5&t=6", usual + "&t=5", 1},
		{"t=-1&sel=x", usual, 2},
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
