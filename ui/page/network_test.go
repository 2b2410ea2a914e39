package page

import "testing"

// However often files of another version are missed, that is said once.
func TestReplaced(t *testing.T) {
	a, _ := ready(t, "algos=cflgp,ifca")
	a.Replaced()
	a.Replaced()
	if len(a.Notices) != 1 || a.Notices[0].Text != newVersion {
		t.Errorf("the notices are %v", a.Notices)
	}
}

// The page says that the network is gone only where it would open without it.
func TestNetwork(t *testing.T) {
	a, _ := ready(t, "algos=cflgp,ifca")
	for _, step := range []struct{ up, kept, says bool }{
		{false, false, false}, {false, true, true}, {false, true, true}, {true, true, false},
	} {
		a.Network(step.up, step.kept)
		if says := len(a.Notices) == 1 && a.Notices[0].Text == noNetwork; says != step.says || len(a.Notices) > 1 {
			t.Errorf("after %+v the notices are %v", step, a.Notices)
		}
	}
}
