package page

import "testing"

func TestPaceAndDuration(t *testing.T) {
	for _, tt := range []struct{ got, want string }{
		{pace(0.1), "6 rounds a minute"}, {pace(0.125), "7.50 rounds a minute"}, {pace(2.34), "2.3 rounds/s"}, {pace(48.7), "49 rounds/s"},
		{Duration(0.2), "1 s"}, {Duration(41.2), "42 s"}, {Duration(200), "3 min"}, {Duration(9000), "2.5 h"},
	} {
		if tt.got != tt.want {
			t.Errorf("got %q, want %q", tt.got, tt.want)
		}
	}
}
