package ingest

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
)

// TestOwners: which column is the client, by its name and its values, with the roles of all.
func TestOwners(t *testing.T) {
	blocks := func(i int) string { return strconv.Itoa(i / 12) }
	words := func(i int) string { return "s" + strconv.Itoa(i/12) }
	mixed := func(i int) string { return strconv.Itoa(i * 7 % 6) }
	own := func(i int) string { return strconv.Itoa(1000 + i*7) }
	few := func(i int) string { return strconv.Itoa(i / 2) }
	fraction := func(i int) string { return fmt.Sprintf("%d.5", i/12) }
	one := func(int) string { return "7" }
	for _, tt := range []struct {
		name  string
		value func(i int) string
		want  string // role of the column, then those of w, h and label
		maybe bool
	}{
		{"clinic", blocks, "cffl", false}, {"clinic", words, "cffl", false}, {"clinic", mixed, "cffl", false}, {"Clinic ID", mixed, "cffl", false}, {"clinicId", blocks, "cffl", false}, {"clinics", blocks, "cffl", false},
		{"partition_id", blocks, "cffl", false}, {"partition", mixed, "cffl", false}, {"cid", blocks, "cffl", false}, {"bank", words, "cffl", false}, {"party", mixed, "cffl", false}, {"bank_no", mixed, "cffl", false},
		{"site", blocks, "cffl", false}, {"site_name", words, "cffl", false}, {"hospitalid", mixed, "cffl", false}, {"client_num", blocks, "cffl", false}, {"user_id", mixed, "cffl", false},
		{"region", blocks, "cffl", false}, {"region", words, "cffl", false}, {"region", mixed, "fffl", true}, {"region_code", words, "cffl", false}, {"country", mixed, "fffl", true},
		{"owner", mixed, "fffl", true}, {"company", mixed, "fffl", true}, {"company", blocks, "cffl", false}, {"owner_id", mixed, "cffl", false},
		{"dealer_id", blocks, "cffl", false}, {"DealerID", mixed, "cffl", false}, {"dealerid", blocks, "fffl", false},
		{"clinic", own, "fffl", false}, {"clinic", few, "fffl", false}, {"clinic", fraction, "fffl", false}, {"clinic", one, "fffl", false}, {"dealer_id", few, "fffl", false},
		{"citric acid", blocks, "fffl", false}, {"paid", mixed, "fffl", false}, {"grid", blocks, "fffl", false}, {"color_id", mixed, "fffl", false}, {"type_id", blocks, "fffl", false}, {"height_id_cm", blocks, "fffl", false},
		{"sample_id", blocks, "iffl", false}, {"row_id", own, "iffl", false}, {"stay_id", own, "iffl", false}, {"stayId", own, "iffl", false}, {"amount paid", own, "fffl", false}, {"fold_id", blocks, "iffl", false},
	} {
		text := tt.name + ",w,h,label\n" + lines(72, func(i int) string {
			return fmt.Sprintf("%s,%d.5,%d.25,%s", tt.value(i), i*7%11, i*5%13, []string{"ash", "oak", "elm"}[i*i%5%3])
		})
		table := opened(t, File{Name: "a.csv", Data: []byte(text)})
		guess := table.Guess()
		if got := roles(guess); got != tt.want || table.maybeClient(guess, 0) != tt.maybe {
			t.Errorf("%s of %s, %s …: the roles are %s, perhaps a client %v, want %s, %v: %v", tt.name, tt.value(0), tt.value(1),
				got, table.maybeClient(guess, 0), tt.want, tt.maybe, guess[0])
		}
	}
	// Of several the strongest is the client, and the others are named.
	text := "region,dealer_id,clinic,bank,w,label\n" + lines(72, func(i int) string {
		return fmt.Sprintf("r%d,%d,%d,b%d,%d.5,%d", i/36, i/6, i*5%4, i*5%3, i*7%11, i*i%3)
	})
	table := opened(t, File{Name: "a.csv", Data: []byte(text)})
	want := `Columns: client: clinic (by its name; few values, with many rows each); label: label (by its name; 2 whole numbers, about 36 rows each: classes); features: region (2 words: one column of 0 and 1 for each), dealer_id, w (numbers), bank (3 words: one column of 0 and 1 for each); column "region" could be the client, too: cols=1:client; column "dealer_id" could be the client, too: cols=2:client; column "bank" could be the client, too: cols=4:client`
	if got := table.Describe(table.Guess()); got.String() != want {
		t.Errorf("of several it is said:\n%s, want\n%s", got, want)
	}
	chosen, err := table.Roles("bank:client")
	if err != nil || roles(chosen) != "ffffc"[:3]+"cfl" || strings.Contains(table.Describe(chosen).String(), "could") {
		t.Errorf("with another client chosen: %v, %s", err, table.Describe(chosen))
	}
	for _, line := range table.Inspect(table.Guess()) {
		if maybe := strings.Contains("region dealer_id bank", line.Name); line.MaybeClient != maybe ||
			strings.HasSuffix(line.String(), "\tclient") != maybe {
			t.Errorf("of column %s it is said %q", line.Name, line)
		}
	}
}

// TestOwnersAreNoLabels: a column that looks like a client is not taken for the label.
func TestOwnersAreNoLabels(t *testing.T) {
	for header, want := range map[string]string{
		"bank,w,h,default":          "cffl",
		"dealer_id,w,h,default":     "cffl",
		"w,h,default,split":         "ffli",
		"w,h,default,fold":          "ffli",
		"w,h,default,sample_weight": "ffli",
		"w,h,default,SampleWeight":  "ffli",
		"w,h,default,is_test":       "ffli",
		"w,h,genre,partition_id":    "fflc",
	} {
		names := strings.Split(header, ",")
		text := header + "\n" + lines(80, func(i int) string {
			var cells []string
			for _, name := range names {
				cells = append(cells, map[string]string{"bank": "b" + strconv.Itoa(i*7%5),
					"dealer_id": "d" + strconv.Itoa(i/20), "w": fmt.Sprintf("%d.5", i%7), "h": fmt.Sprintf("%d.25", i%9),
					"default": strconv.Itoa(i / 3 % 2), "genre": strconv.Itoa(i / 3 % 4), "split": []string{"train", "test"}[i/60], "fold": strconv.Itoa(i % 5), "sample_weight": strconv.Itoa(1 + i%2), "SampleWeight": strconv.Itoa(1 + i%2),
					"is_test": strconv.Itoa(i / 60), "partition_id": strconv.Itoa(i / 16)}[name])
			}
			return strings.Join(cells, ",")
		})
		table := opened(t, File{Name: "a.csv", Data: []byte(text)})
		if got := roles(table.Guess()); got != want {
			t.Errorf("%s: the roles are %s, want %s: %v", header, got, want, table.Guess())
		}
	}
}

// TestCopies: what repeats the label, or the client, is left out; what only goes with it is not.
func TestCopies(t *testing.T) {
	const n = 90
	class := func(i int) int { return i * 7 % 9 % 3 }
	species := func(i int) string { return []string{"ash", "birch", "cedar"}[class(i)] }
	bit := func(of bool) string { return map[bool]string{true: "1", false: "0"}[of] }
	for _, tt := range []struct {
		name, header string
		row          func(i int) string
		want         string
	}{
		{"a code", "w,species,species_code", func(i int) string { return fmt.Sprintf("%d.5,%s,%d", i%11, species(i), class(i)) }, "fli"},
		{"a code in another form", "w,code,species", func(i int) string { return fmt.Sprintf("%d.5,%d.0,%s", i%11, 7-3*class(i), species(i)) }, "fil"},
		{"fractions", "w,level,species", func(i int) string { return fmt.Sprintf("%d.5,0.%d,%s", i%11, 3+class(i), species(i)) }, "fil"},
		{"words for numbers", "w,label,label_name", func(i int) string { return fmt.Sprintf("%d.5,%d,%s", i%11, class(i), species(i)) }, "fli"},
		{"seaborn's Titanic", "w,class,alive,survived", func(i int) string {
			return fmt.Sprintf("%d.5,%s,%s,%d", i%11, []string{"First", "Second", "Third"}[i*i%3], []string{"no", "yes"}[i/3%2], i/3%2)
		}, "fiil"},
		{"truth", "w,alive,survived", func(i int) string { return fmt.Sprintf("%d.5,%s,%d", i%11, []string{"no", "yes"}[i/3%2], i/3%2) }, "fil"},
		{"a copy the other way round", "w,dead,survived", func(i int) string { return fmt.Sprintf("%d.5,%d,%d", i%11, 1-i/3%2, i/3%2) }, "fil"},
		{"one column for each class", "w,is_ash,is_birch,is_cedar,species", func(i int) string {
			return fmt.Sprintf("%d.5,%s,%s,%s,%s", i%11, bit(class(i) == 0), bit(class(i) == 1), bit(class(i) == 2), species(i))
		}, "fiiil"},
		{"all but one of them", "w,is_ash,is_birch,species", func(i int) string {
			return fmt.Sprintf("%d.5,%s,%s,%s", i%11, bit(class(i) == 0), bit(class(i) == 1), species(i))
		}, "fiil"},
		{"one of three", "w,is_ash,species", func(i int) string { return fmt.Sprintf("%d.5,%s,%s", i%11, bit(class(i) == 0), species(i)) }, "ffl"},
		{"missing values of the copy", "w,code,species", func(i int) string {
			return fmt.Sprintf("%d.5,%s,%s", i%11, []string{"", strconv.Itoa(class(i))}[min(i%13, 1)], species(i))
		}, "fil"},
		{"a mistake in one row", "w,code,species", func(i int) string { return fmt.Sprintf("%d.5,%d,%s", i%11, class(i+i/80*3), species(i+i/88)) }, "ffl"},
		{"it tells more than the label", "w,kind,species", func(i int) string { return fmt.Sprintf("%d.5,k%d,%s", i%11, class(i)+3*(i%2), species(i)) }, "ffl"},
		{"it tells less", "w,wood,species", func(i int) string { return fmt.Sprintf("%d.5,%s,%s", i%11, bit(class(i) > 0), species(i)) }, "ffl"},
		{"a number of its own in each row", "w,h,species", func(i int) string { return fmt.Sprintf("%d.5,%d.25,%s", i%11, i, species(i)) }, "ffl"},
		{"few rows", "w,code,species", func(i int) string {
			if i > 8 {
				return ""
			}
			return fmt.Sprintf("%d.5,%d,%s", i, class(i), species(i))
		}, "ffl"},
		{"one row of another class", "w,rare,label", func(i int) string { return fmt.Sprintf("%d.5,%d,%d", i%11, i/89, i/89) }, "ffl"},
		{"another unit", "w,cents,price", func(i int) string { return fmt.Sprintf("%d,%d,%.2f", i%11, 100+37*i, 1+0.37*float64(i)) }, "fin"},
		{"degrees of another kind", "w,f,target", func(i int) string {
			return fmt.Sprintf("%d,%.2f,%.1f", i%11, 32+0.18*float64(i*i%700), 0.1*float64(i*i%700))
		}, "fin"},
		{"a number that falls", "w,left,target", func(i int) string { return fmt.Sprintf("%d,%d.5,%d.25", i%11, 500-i*i%400, i*i%400) }, "fin"},
		{"almost in proportion", "w,x,target", func(i int) string { return fmt.Sprintf("%d,%d.5,%.3f", i%11, i, float64(i)+float64(i%3)/100) }, "ffn"},
		{"a curve", "w,x,target", func(i int) string { return fmt.Sprintf("%d,%d.5,%d.5", i%11, i, i*i) }, "ffn"},
		{"all there is", "x,target", func(i int) string { return fmt.Sprintf("%d.5,%d.25", i, 3*i) }, "fn"},
		{"all there is, of classes", "a,b,label", func(i int) string { return fmt.Sprintf("%d,%d.5,%d", i%2, i%2, i%2) }, "ffl"},
		{"another name of the client", "site_id,site_name,w,label", func(i int) string { return fmt.Sprintf("%d,n%d,%d.5,%d", i/18, i/18, i%11, i%2) }, "cifl"},
		{"what clients are like", "site_id,beds,w,label", func(i int) string { return fmt.Sprintf("%d,%d,%d.5,%d", i/18, 100+i/18*37, i%11, i%2) }, "cffl"},
		{"a class for each client", "site_id,w,label", func(i int) string { return fmt.Sprintf("%d,%d.5,c%d", i/30, i%11, i/30) }, "cfl"},
		{"an identifier of the label", "w,taxon_id,species", func(i int) string { return fmt.Sprintf("%d.5,%d,%s", i%11, 70+class(i), species(i)) }, "fil"},
	} {
		text := tt.header + "\n" + strings.TrimRight(lines(n, tt.row), "\n") + "\n"
		table := opened(t, File{Name: "a.csv", Data: []byte(text)})
		guess := table.Guess()
		if got := roles(guess); got != tt.want {
			t.Errorf("%s: the roles are %s, want %s: %v", tt.name, got, tt.want, guess)
		}
		for j, c := range guess {
			if c.Role != Ignore {
				continue
			}
			back, err := table.Roles(fmt.Sprintf("%d:feature", j+1))
			if err != nil || back[j].Role != Feature {
				t.Errorf("%s: column %d cannot be put back: %v", tt.name, j+1, err)
			}
		}
	}
	// Without another column a copy is refused if its name says that it is one.
	_, err := Read([]File{{Name: "a.csv", Data: []byte("path,label_name,label_id\n" + lines(n, func(i int) string {
		return fmt.Sprintf("img/%d.jpg,%s,%d", i, species(i), class(i))
	}))}})
	if err == nil || !strings.HasPrefix(err.Error(), `a.csv: there is no feature: column "label_id" only repeats column "label_name"; `) {
		t.Errorf("with a copy alone: %v", err)
	}
	// Another label has other copies.
	table := opened(t, File{Name: "a.csv", Data: []byte("w,species,species_code,kind\n" + lines(n, func(i int) string {
		return fmt.Sprintf("%d.5,%s,%d,k%d", i%11, species(i), class(i), i%4)
	}))})
	for cols, want := range map[string]string{"": "flif", "kind:label": "fifl", "species_code:label": "filf", "species_code:feature": "flff"} {
		if got, err := table.Roles(cols); err != nil || roles(got) != want {
			t.Errorf("cols=%s: the roles are %s, %v, want %s", cols, roles(got), err, want)
		}
	}
}

// TestTimes: a time is a feature where nothing else is one.
func TestTimes(t *testing.T) {
	for header, want := range map[string]string{"time,label": "fl", "timestamp,label": "fl", "date,label": "fl", "time,w,label": "ifl", "date,w,label": "ifl", "id,time,label": "ifl", "client,time,label": "cfl", "time,instant,label": "fil"} {
		names := strings.Split(header, ",")
		text := header + "\n" + lines(60, func(i int) string {
			var cells []string
			for _, name := range names {
				cells = append(cells, map[string]string{"time": strconv.Itoa(i * 37 % 41),
					"timestamp": fmt.Sprintf("%d.25", 1700000000+i*i%97), "date": fmt.Sprintf("2024-05-%02d", 1+i*i%23), "id": strconv.Itoa(i),
					"instant": strconv.Itoa(i), "client": strconv.Itoa(i % 3), "w": fmt.Sprintf("%d.5", i%7), "label": strconv.Itoa(i / 3 % 2)}[name])
			}
			return strings.Join(cells, ",")
		})
		table := opened(t, File{Name: "a.csv", Data: []byte(text)})
		if got := roles(table.Guess()); got != want {
			t.Errorf("%s: the roles are %s, want %s: %v", header, got, want, table.Guess())
		}
		s, _, err := table.Set(table.Guess(), false)
		if err != nil {
			t.Errorf("%s: %v", header, err)
			continue
		}
		checkSet(t, s)
	}
}
