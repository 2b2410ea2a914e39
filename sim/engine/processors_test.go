package engine_test

import "testing"

// nearTies are runs that came to other bits where a compiler fuses products and sums,
// inside an eigensolver or elsewhere; the first one to other labels and twice the
// loss.
var nearTies = []struct {
	query       string
	fingerprint uint64
}{
	{"data=pairs8&algos=cflgp&C=6&T=60&K=5&sd=1604047199&sm=1264371119&sa=688631229", 0x9ac2cec20748d106},
	{"data=linreg&init=1.8&C=10&T=28&rho=0.376&lr=0.867&algos=icfl&sd=3519622685&sm=1782143174&sa=158865369",
		0x38522a9b93252171},
	{"data=mix2&blend=0.345&C=14&T=22&join=8&algos=flexcfl&sd=149351757&sm=961161049&sa=2813392103", 0xdec7d4ba74b29f88},
	{"data=pairs8&within=0.404&init=1.37&C=8&T=34&rho=0.152&lr=0.687&algos=kfed&sd=2917224805&sm=876394694&sa=2890938207",
		0xa388bbd476544220},
	{"data=pairs8&C=12&T=27&angle=principal&basis=all&p=9&cut=10&algos=pacfl&sd=1555910168&sm=792306840&sa=2884599775",
		0x70af534d73eb3c25},
	{"data=mixreg&delta=0.238&C=15&T=23&drop=0.782&K=8&algos=clove&sd=3487718485&sm=675525590&sa=1487858422",
		0x84efa3522e1e4a33},
}

// TestGoldenLinksNearTies tells first when a processor comes to other bits than the rest.
func TestGoldenLinksNearTies(t *testing.T) {
	for _, tt := range nearTies {
		if got := record(t, tt.query, nil).fingerprints()[0]; got != tt.fingerprint {
			t.Errorf("Run(%s) has fingerprint %016x, want %016x", tt.query, got, tt.fingerprint)
		}
	}
}
