package experiment

import "testing"

// TestPresetLines: pairs stay apart, what a mail program broke is joined, and comments
// are no settings.
func TestPresetLines(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"pairs", "data=linreg\n dphi = 8 \n\nT=3&\n&C=9\n", "data=linreg&dphi = 8&T=3&&C=9"},
		{"comments", "# c\ndata=linreg # c=1\r\n\t# d\ndphi=8#x\n", "data=linreg&dphi=8"},
		{"entities", "data=linreg&#38;dphi=8\nT=3", "data=linreg&#38;dphi=8&T=3"},
		{"an old link", "https://h.example/#data=linreg\nT=3", "https://h.example/#data=linreg&T=3"},
		{"a broken key", "https://h.example/?data=linreg&dp\nhi=8", "https://h.example/?data=linreg&dphi=8"},
		{"a broken value", "data=lin\nreg&T=3", "data=linreg&T=3"},
		{"broken at the sign", "data=linreg&dphi\n=8\n&T=3", "data=linreg&dphi=8&T=3"},
		{"unknown settings", "data=linreg\nrounds=5\nfoo=1", "data=linreg&rounds=5&foo=1"},
		{"broken after the separator", "data=linreg&\ndphi\n=8", "data=linreg&dphi=8"},
		{"nothing", "# only\n\n", ""},
	} {
		if got := Preset(tt.text); got != tt.want {
			t.Errorf("%s: %q is %q, want %q", tt.name, tt.text, got, tt.want)
		}
	}
}
