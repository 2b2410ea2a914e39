package catalog

import (
	"errors"
	"strings"
	"testing"

	"flockscope/sim/param"
)

// TestRoom: a run that does not fit is refused with what would, and that does.
func TestRoom(t *testing.T) {
	defer func(was int64) { MemoryLimit = was }(MemoryLimit)
	s := Schema()
	build := func(query string) error {
		t.Helper()
		c, problems := s.Parse(query)
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		_, _, err := Build(c, nil)
		return err
	}
	MemoryLimit = 100 << 20
	// 159,010 parameters: 4 bytes of a bank of 4 models and 8 of sums of updates, 4 of
	// each of the 32 updates that may be under way, and 4 blocks a client.
	const query = "data=digits&n=2000&algos=cflgp"
	if err := build(query + "&C=24"); err != nil {
		t.Errorf("20 clients: %v, want room for them", err)
	}
	err := build(query + "&C=64")
	if err == nil {
		t.Fatal("64 clients fit into 105 MB")
	}
	for _, want := range []string{"0.2 GB", "0.1 GB", "29 clients would fit", "cr=100"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("64 clients: %q, want %q in it", err, want)
		}
	}
	// Each of the offers does, as the session passes them on.
	var refused *param.Error
	if !errors.As(err, &refused) || len(refused.Suggestions) != 2 {
		t.Fatalf("64 clients: %+v, want two offers", refused)
	}
	for _, o := range refused.Suggestions {
		c, _ := s.Parse(query + "&C=64")
		if c, err = c.With(o.Key, o.Value); err != nil {
			t.Errorf("%s=%s is offered: %v", o.Key, o.Value, err)
		} else if _, _, err := Build(c, nil); err != nil {
			t.Errorf("with %s=%s, as offered: %v", o.Key, o.Value, err)
		}
	}
	if err := build(query + "&C=29"); err != nil {
		t.Errorf("the clients that were said to fit: %v", err)
	}
	if err := build(query + "&C=30"); err == nil {
		t.Error("one client more than was said to fit fits too")
	}
	if err := build(query + "&C=64&cr=100"); err != nil {
		t.Errorf("the compression that was said to fit: %v", err)
	}
	// Where neither would do, nothing is offered that does not.
	MemoryLimit = 1 << 20
	err = build(query + "&C=64")
	if !errors.As(err, &refused) || len(refused.Suggestions) != 0 || !strings.Contains(err.Error(), "with a smaller model") {
		t.Errorf("in a megabyte: %v, want no offers and a hint", err)
	}
	MemoryLimit = 0
	if err := build(query + "&C=64"); err != nil {
		t.Errorf("without a bound: %v", err)
	}
}
