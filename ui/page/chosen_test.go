package page

import (
	"strings"
	"testing"
)

// parseClients reads what ClientsText writes, and nothing from invalid texts.
func TestClientLists(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"3", "3"}, {"1,2", "1-2"}, {"2,1,2", "1-2"}, {"9,2-4,3,12", "2-4,9,12"}, {"1-3,5-6,8", "1-3,5-6,8"},
		{"", ""}, {"0", ""}, {"-1", ""}, {"3-2", ""}, {"1,x", ""}, {"1-", ""}, {"1-99999999999", ""}, {"65537", ""},
		{strings.Repeat("1-65536,", 40) + "1", ""},
	} {
		if got := ClientsText(union(parseClients(tt.text), nil)); got != tt.want {
			t.Errorf("%.30q is read as %q, want %q", tt.text, got, tt.want)
		}
	}
}

func TestSelection(t *testing.T) {
	s := Selection{Selected: -1, Hover: -1}
	for _, tt := range []struct {
		keep []int
		want string
		one  bool
	}{{nil, "", false}, {[]int{4}, "5", true}, {[]int{4, 2, 4, 3}, "3-5", false}, {[]int{7, 7}, "8", true}} {
		s.SetSelection(tt.keep)
		if got := ClientsText(s.SelectedClients()); got != tt.want || (s.Selected >= 0) != tt.one {
			t.Errorf("of %v are chosen %s", tt.keep, got)
		}
	}
	s.SetSelection([]int{1, 2})
	got := ClientsText(s.Toggled(2)) + " " + ClientsText(s.Toggled(3))
	if got != "2 2-4" || ClientsText(s.SelectedClients()) != "2-3" {
		t.Errorf("with a client more or less, chosen are %s", got)
	}
}
