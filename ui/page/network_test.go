package page_test

import (
	"testing"

	. "flockscope/ui/page"
)

// Several missing files of another version lead to one notice.
func TestNewVersionNotice(t *testing.T) {
	a, _ := ready(t, "algos=cflgp,ifca")
	a.Do(NewVersionServed{})
	a.Do(NewVersionServed{})
	if len(a.Notices) != 1 || a.Notices[0].Text != NewVersion {
		t.Errorf("the notices are %v", a.Notices)
	}
}

// The page reports a lost network only if it would open without it.
func TestNetwork(t *testing.T) {
	a, _ := ready(t, "algos=cflgp,ifca")
	for _, step := range []struct{ up, kept, says bool }{
		{false, false, false}, {false, true, true}, {false, true, true}, {true, true, false},
	} {
		a.Do(NetworkChanged{Up: step.up, Kept: step.kept})
		if says := len(a.Notices) == 1 && a.Notices[0].Text == NoNetwork; says != step.says || len(a.Notices) > 1 {
			t.Errorf("after %+v the notices are %v", step, a.Notices)
		}
	}
}
