//go:build !js

package class

import "testing"

func TestQuery(t *testing.T) {
	group, held := []int{0, 1, 0, 1}, []int{6, 6, 6, 6}
	for _, tt := range []struct {
		o  Options
		ok bool
	}{
		{DefaultOptions, true},
		{Options{Methods: "cflgp,fedavg,ifca,clove", Rounds: 10, Noise: 0.5}, true},
		{Options{Methods: "cflgp", Rounds: 10, More: "avg=model&tau=3"}, true},
		{Options{Methods: "local", Rounds: 10}, false},
		{Options{Methods: "cflgp", Rounds: 0}, false},
		{Options{Methods: "nothing", Rounds: 3}, false},
		{Options{Methods: "cflgp", Rounds: 3, More: "data=linreg"}, false},
		{Options{Methods: "cflgp", Rounds: 3, More: "net=mlp"}, false},
	} {
		_, _, err := configOf(queryOf(tt.o, 4), group, held, quick.Digits)
		if (err == nil) != tt.ok {
			t.Errorf("%+v: %v", tt.o, err)
		} else {
			t.Log(err)
		}
	}
}
