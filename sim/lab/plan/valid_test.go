package plan_test

import (
	"strconv"
	"strings"
	"testing"

	"flockscope/sim/catalog"
	"flockscope/sim/lab/plan"
	"flockscope/sim/version"
)

// sound is a record of 12 clients after 60 rounds, as flock sweep wrote it.
const sound = `{"cell":"CELL","query":"data=linreg&dphi=60&T=60&algos=cflgp,fedavg&sd=2","version":VERSION,` +
	`"fingerprint":"F2E0-9962","lanes":[{"lane":"cflgp","ari":1,"misplaced":0,"nmi":1,"purity":1,"settled":6,"found":2,` +
	`"price":10.666666666666666,"loss":0.062039321497902866,"worst":0.07603919828434445,"clusters":3,"down":160,"up":160.5,` +
	`"fingerprint":"0fc2fa131a982254"},{"lane":"fedavg","ari":null,"misplaced":null,"nmi":null,"purity":null,"settled":null,` +
	`"found":null,"price":null,"loss":0.06,"worst":0.07,"clusters":1,"down":160,"up":160,"diverged":60,` +
	`"fingerprint":"3b40b032eeacf9fd","clients":[0.5,1]}],"seconds":1.5,"build":"x"}`

// signed gives a record its cell, of this version of the engine.
func signed(text string) string {
	text = strings.Replace(text, "VERSION", strconv.Itoa(version.Engine), 1)
	query := text[strings.Index(text, `"query":"`)+9:]
	query = query[:strings.Index(query, `"`)]
	r := plan.Record{Query: query, Version: version.Engine}
	if strings.Contains(text, `"floats":1`) {
		r.Floats = 1
	}
	return strings.Replace(text, "CELL", plan.Identity(&r), 1)
}

// Numbers that no run has are refused on every way in, with the name of the record and of
// the field, what it says, and what is allowed.
func TestForgedRecords(t *testing.T) {
	check := plan.NewChecker(catalog.Schema()).Check
	read := func(text string) error {
		r, err := plan.ParseRecord([]byte(signed(text)))
		if err == nil {
			err = check(&r)
		}
		return err
	}
	if err := read(sound); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ from, to, want string }{
		{`"ari":1`, `"ari":7`, `has in lane "cflgp" ari = 7; allowed is a number from -1 to 1`},
		{`"ari":1`, `"ari":-1.5`, "ari = -1.5"},
		{`"ari":1`, `"ari":1e308`, "ari = 1e308"},
		{`"misplaced":0`, `"misplaced":-5`, "misplaced = -5; allowed is a whole number"},
		{`"misplaced":0`, `"misplaced":13`, "misplaced = 13; allowed is a whole number from 0 to 12"},
		{`"misplaced":0`, `"misplaced":0.5`, "has misplaced = 0.5; allowed is a whole number"},
		{`"nmi":1`, `"nmi":1.01`, "nmi = 1.01; allowed is a number from 0 to 1"},
		{`"purity":1`, `"purity":-0.1`, "purity"},
		{`"settled":6`, `"settled":61`, "settled = 61; allowed is a whole number from 0 to 60"},
		{`"found":2`, `"found":-1`, "found"},
		{`"diverged":60`, `"diverged":5001`, "diverged"},
		{`"clusters":3`, `"clusters":13`, "clusters"},
		{`"loss":0.06,`, `"loss":-1e308,`, "loss = -1e308; allowed is a finite number of at least 0"},
		{`"loss":0.06,`, `"loss":1e999,`, "has loss = 1e999; allowed is a finite number"},
		{`"loss":0.06,`, `"loss":nan,`, "has loss = nan; allowed is a finite number"},
		{`"loss":0.06,`, `"loss":"0.06",`, "has loss = \"0.06\"; allowed is a finite number"},
		{`"loss":0.06,`, `"loss":`, "has loss = \"worst\":0.07; allowed is a finite number"},
		{`"worst":0.07,`, `"worst":0.05,`, "worst = 0.05; allowed is a number of at least loss, 0.06"},
		{`"settled":6,"found":2`, `"settled":6,"found":7`, "settled = 6; allowed is a round in which the clustering had been found"},
		{`"settled":6,"found":2`, `"settled":6,"found":null`, "price = 10.6666666666667; allowed is null where found is null"},
		{`"found":2,"price":10.666666666666666`, `"found":null,"price":null`, "settled = 6"},
		{`"down":160,"up":160,`, `"down":160,"up":160,"accuracy":0.5,"weakest":0.6,`, "weakest = 0.6; allowed is a number of at most accuracy, 0.5"},
		{`"loss":0.06,`, ``, "has loss = nothing; allowed is a value or null"},
		{`"loss":0.06,`, `"loss":0.06,"loss":0.05,`, "says the same thing twice"},
		{`"worst":0.07,`, `"worst":-0.07,`, "worst"},
		{`"price":10.666666666666666`, `"price":-1`, "price"},
		{`"up":160.5`, `"up":-1`, "up"},
		{`"down":160,"up":160,`, `"down":160,"up":160,"accuracy":1.5,`, "accuracy"},
		{`"down":160,"up":160,`, `"down":160,"up":160,"weakest":-1,`, "weakest"},
		{`"down":160,"up":160,`, `"down":160,"up":160,"val":2,`, "val"},
		{`"down":160,"up":160,`, `"down":160,"up":160,"time":-2,`, "time"},
		{`"lane":"cflgp",`, `"lane":"cflgp","round":61,`, "round"},
		{`"clients":[0.5,1]`, `"clients":[0.5,7]`, "clients = 7; allowed is numbers from 0 to 1"},
		{`"clients":[0.5,1]`, `"clients":[` + strings.Repeat("0,", 12) + `0]`, "clients = 13 numbers; allowed is one for each of 12"},
		{`"seconds":1.5`, `"seconds":-1.5`, "has seconds = -1.5"},
		{`"seconds":1.5`, `"floats":1,"seconds":-1.5`, "has seconds"},
		{`"build":"x"`, `"build":"\u001b[2J"`, `has build = "\x1b[2J"; allowed is a text without control characters`},
		{`"loss":0.06,`, "\"loss\":\"\x1b[2J\",", `has loss = "\x1b[2J"; allowed is a finite number`},
		{"0fc2fa131a982254", "0FC2FA131A982254", "fingerprint = \"0FC2FA131A982254\"; allowed is 16 hexadecimal digits"},
		{"0fc2fa131a982254", "0fc2fa131a98225", "fingerprint"},
		{"0fc2fa131a982254", "made up", "fingerprint"},
		{"0fc2fa131a982254", "0fc2fa131a982255", "which is that of its lanes"},
		{"F2E0-9962", "F2E0-9963", "has fingerprint = \"F2E0-9963\"; allowed is F2E0-9962"},
		{`"lane":"fedavg"`, `"lane":"ifca"`, `has lanes = ["cflgp" "ifca"]; allowed is those of its query, ["cflgp" "fedavg"]`},
		{sound[strings.Index(sound, `,{"lane":"fedavg"`):strings.Index(sound, `],"seconds"`)], "", "fingerprint"},
		{"data=linreg&dphi=60&T=60&algos=cflgp,fedavg&sd=2", "data=linreg&dphi=60&nothing=1&algos=cflgp,fedavg", "query"},
		{"data=linreg&dphi=60&T=60&algos=cflgp,fedavg&sd=2", "dphi=60&data=linreg&T=60&algos=cflgp,fedavg",
			"allowed is the canonical form, data=linreg&dphi=60&T=60&algos=cflgp,fedavg"},
		{"data=linreg&dphi=60&T=60&algos=cflgp,fedavg&sd=2", "data=linreg&dphi=60&T=60&algos=cflgp,fedavg&sd=02", "canonical"},
		{"data=linreg&dphi=60&T=60&algos=cflgp,fedavg&sd=2", "data=linreg&dphi=60&T=60&algos=cflgp,fedavg&sd=2&sd=2", "query"},
		{"data=linreg&dphi=60&T=60&algos=cflgp,fedavg&sd=2", "data=linreg&dphi=60&T=60&algos=cflgp,fedavg&sa=2&sd=2", "canonical"},
	} {
		if strings.Count(sound, tt.from) != 1 {
			t.Fatalf("%q is not once in the record", tt.from)
		}
		err := read(strings.Replace(sound, tt.from, tt.to, 1))
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s in place of %s: got %v, want %q", tt.to, tt.from, err, tt.want)
		}
	}
	// A lane left out, with the fingerprint of the other.
	alone := strings.Replace(sound, sound[strings.Index(sound, `,{"lane":"fedavg"`):strings.Index(sound, `],"seconds"`)], "", 1)
	alone = strings.Replace(alone, "F2E0-9962", "8BEE-627B", 1)
	if err := read(alone); err == nil || !strings.Contains(err.Error(), `has lanes = ["cflgp"]`) {
		t.Errorf("without a lane: %v", err)
	}
}

// What went wrong in a cell is told in one line, which can be read again.
func TestFailedInOneLine(t *testing.T) {
	c := plan.Cell{Query: "data=linreg", Version: version.Engine}
	r := c.Failed("broke\ndown\x1b[2J")
	r.Cell = plan.Identity(&r)
	text, err := r.AppendJSON(nil)
	if err != nil {
		t.Fatal(err)
	}
	if back, err := plan.ParseRecord(text); err != nil || back.Error != "broke down [2J" {
		t.Errorf("it comes back as %q, %v", back.Error, err)
	}
}
