package page

import "testing"

func TestPaceAndDuration(t *testing.T) {
	for _, tt := range []struct{ got, want string }{
		{rateText(0.1), "6 rounds a minute"}, {rateText(0.125), "7.50 rounds a minute"}, {rateText(2.34), "2.3 rounds/s"}, {rateText(48.7), "49 rounds/s"},
		{FormatDuration(0.2), "1 s"}, {FormatDuration(41.2), "42 s"}, {FormatDuration(200), "3 min"}, {FormatDuration(9000), "2.5 h"},
	} {
		if tt.got != tt.want {
			t.Errorf("got %q, want %q", tt.got, tt.want)
		}
	}
}
