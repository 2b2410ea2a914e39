package ingest

import (
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"flockscope/sim/ingest/arff"
	"flockscope/sim/param"
	"flockscope/sim/say"
)

// Role is the role of a column of a table.
type Role uint8

// The roles.
const (
	Ignore  Role = iota
	Feature      // input of the model; a category becomes one column of 0 and 1 per word
	Label        // the class of a sample
	Target       // the number to predict
	Client       // the client that holds the sample
	Group        // the planted group of the client
)

// roleNames are the names of roles in cols=.
var roleNames = [...]string{"ignore", "feature", "label", "number", "client", "group"}

// RoleNames are the names of all roles, in their order.
func RoleNames() []string { return roleNames[:] }

func (r Role) String() string { return roleNames[r] }

// Chosen is the role of a column with its reason.
type Chosen struct {
	Role Role
	Why  say.Message
}

// Column names that indicate roles, strongest first: the column whose name is earliest in a list has the role. Names
// are compared as slugs.
var (
	targetNames = []string{"label", "labels", "survived", "class", "classes", "target", "targets", "species", "variety",
		"diagnosis", "outcome", "class_label",
		"activity", "cover_type", "heartdisease", "death_event", "quality", "category", "income", "salary",
		"y", "medv", "price",
		"median_house_value", "num", "output", "result", "response", "cnt", "count"}
	clientNames = []string{"client", "clients", "client_id", "clientid", "user", "users", "user_id", "userid",
		"subject", "subjects", "subject_id", "subjectid",
		"participant", "participant_id", "site", "site_id", "hospital", "hospital_id", "device", "device_id", "node",
		"node_id", "worker", "worker_id",
		"writer", "writer_id", "person", "person_id", "silo", "institution", "center", "centre", "shop", "store",
		"store_id", "station", "domain"}
	groupNames  = []string{"group", "groups", "cluster"}
	ignoreNames = []string{"id", "ids", "index", "idx", "unnamed_0", "unnamed_0_1", "row", "row_id", "rowid",
		"row_number", "rownames", "time", "timestamp",
		"datetime", "date", "record_id", "sample_id", "instant", "no"}
)

// Names of times, and of the use of rows.
const (
	timeNames = " time timestamp datetime date "
	partNames = " split splits fold folds kfold cv_fold fold_id sample_weight sample_weights instance_weight case_weight " +
		"sampleweight sampleweights instanceweight caseweight is_train is_test train_test dataset_split "
)

// strong is the number of leading targetNames that are never features.
const strong = 14

// slug returns a name in lower case, with _ for everything but letters and digits, as in cols=.
func slug(name string) string {
	var b strings.Builder
	b.Grow(len(name))
	gap := false
	for _, r := range strings.ToLower(name) {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			gap = true
			continue
		}
		if gap && b.Len() > 0 {
			b.WriteByte('_')
		}
		gap = false
		b.WriteRune(r)
	}
	return b.String()
}

// rank returns the index of the column's name in a list, −1 if it is not there.
func (c *Column) rank(list []string) int { return slices.Index(list, c.slug) }

// best returns the column whose name is earliest in a list among those that may have the role, −1 for none.
func (t *Table) best(list []string, may func(c *Column) bool) int {
	best, at := -1, len(list)
	for j := range t.Columns {
		if r := t.Columns[j].rank(list); r >= 0 && r < at && may(&t.Columns[j]) {
			best, at = j, r
		}
	}
	return best
}

// Guess returns the role of each column, guessed from names and values.
//
//   - The client is the column with the first of clientNames whose values repeat, the group one of
//     groupNames.
//   - The label or target is the column with the first of targetNames, so that target wins over y.
//     Without such a name it is the only column of words; else the first or the last column,
//     whichever has fewer repeated whole numbers, and the first if all others are pixels; else the
//     last column of numbers.
//   - It is a label if its values are words, or repeated whole numbers (see [Column.classes]), else
//     a target.
//   - Row numbers, identifiers, times and dates, free text, constant words, and columns that are
//     mostly missing, are ignored. All others are features.
//   - Columns of sentences are features if no other column is one.
//   - Without such a client, columns with similar names are clients, see [Table.owner].
//   - Copies of the label or the client are ignored, see [Table.copies].
func (t *Table) Guess() []Chosen {
	out := t.guess()
	t.complete(out, nil)
	return out
}

func (t *Table) guess() []Chosen {
	out := make([]Chosen, len(t.Columns))
	for j := range t.Columns {
		out[j] = t.ordinary(j)
	}
	if t.assignLines(out) {
		return out
	}
	client := t.best(clientNames, func(c *Column) bool {
		return c.Distinct > 0 && (c.Distinct <= maxClasses || c.repeats(t.Rows)) && c.Distinct < t.Rows
	})
	if client >= 0 {
		out[client] = Chosen{Client, byName}
	} else if client = t.likelyOwner(2, func(j int) bool {
		r := t.Columns[j].rank(targetNames)
		return r < 0 || r >= strong
	}); client >= 0 {
		out[client] = t.asClient(client)
	}
	if group := t.best(groupNames, func(c *Column) bool {
		return c.Distinct > 0 && (client >= 0 ||
			c.Distinct < t.Rows)
	}); group >= 0 {
		out[group] = Chosen{Group, byName}
		if client < 0 {
			out[group].Why = "by its name; no column names clients, so several clients share each group"
		}
	}
	target, why := t.findTarget(out)
	if target < 0 {
		return out
	}
	out[target] = t.Columns[target].classes(t.Rows, t.Columns[target].rank(targetNames))
	out[target].Why = say.JoinMessage([]say.Message{why, out[target].Why}, "; ")
	if why == beforePixels && t.Columns[target].Distinct > 1 {
		out[target] = Chosen{Label, why}
	}
	for j := range out { // a copy of the target
		if r := t.Columns[j].rank(targetNames); j != target && out[j].Role == Feature && r >= 0 && r < strong &&
			t.Columns[target].rank(targetNames) < strong {
			out[j] = Chosen{Ignore, "another label, which reveals the answer"}
		}
	}
	if client < 0 {
		if client = t.likelyOwner(1, func(j int) bool {
			return out[j].Role <= Feature && !t.copies(target, out[target].Role == Target)[j]
		}); client >= 0 {
			out[client] = t.asClient(client)
		}
	}
	return out
}

// asClient returns the role of a column that names the clients.
func (t *Table) asClient(j int) Chosen {
	if _, blocks := t.Columns[j].evidence(t.Rows); blocks {
		return Chosen{Client, inBlocks}
	}
	return Chosen{Client, fewValues}
}

// complete ignores copies, and makes sentences or times features if there is no other feature.
// Chosen roles stay.
func (t *Table) complete(out []Chosen, chosen []bool) {
	if t.Lines(out) {
		return
	}
	t.withoutCopies(out, chosen)
	use := func(why say.Message, may func(c *Column) bool) {
		if hasFeature(out) {
			return
		}
		for j := range out {
			if out[j].Role == Ignore && (chosen == nil || !chosen[j]) && may(&t.Columns[j]) {
				out[j] = Chosen{Feature, why}
			}
		}
	}
	use(say.Messagef("sentences: weights of their %d most frequent words", maxWords), (*Column).sentences)
	use("a time, since there is no other feature", func(c *Column) bool {
		return c.Distinct > 1 && (c.Type == Date || among(timeNames, c.slug))
	})
}

func hasFeature(roles []Chosen) bool {
	return slices.ContainsFunc(roles, func(c Chosen) bool { return c.Role == Feature })
}

// repeats reports whether the values of a column repeat: at least two rows per value.
func (c *Column) repeats(rows int) bool {
	if c.seen != nil && c.seen.ids != nil && c.whole > 0 {
		return 2*len(c.seen.ids) <= rows
	}
	return c.Type == Texts || c.Type == Category
}

// ordinary returns the role of a column that is not the target, client or group.
func (t *Table) ordinary(j int) Chosen {
	c := &t.Columns[j]
	_, named := c.stem()
	ids := c.seen != nil && c.seen.ids != nil && c.whole == t.Rows && len(c.seen.ids) == t.Rows && t.Rows >= 10
	switch {
	case c.Type == Empty:
		return Chosen{Ignore, "it has no values"}
	case j == t.testColumn:
		return Chosen{Ignore, marksTests}
	case among(partNames, c.slug):
		return Chosen{Ignore, "its name says how rows are used"}
	case among(timeNames, c.slug):
		return Chosen{Ignore, say.Messagef("named like a time: cols=%d:feature makes it a feature", j+1)}
	case c.rank(ignoreNames) >= 0:
		return Chosen{Ignore, "named like a row number or an identifier"}
	case c.Type == Date:
		return Chosen{Ignore, "dates are ignored unless chosen as features: then they are days since 1970"}
	case c.attr != nil && c.attr.Kind == arff.Date:
		return Chosen{Ignore, "dates are ignored; this date format is not read"}
	case c.Type == Texts, c.Type == Category && c.Distinct > maxOneHot:
		return Chosen{Ignore, say.Messagef("it has more than %d different words", maxOneHot)}
	case c.Type == Category && c.Distinct == t.Rows && t.Rows >= 10:
		return Chosen{Ignore, "every row has a different word"}
	case c.Type == Category && c.Distinct == 1:
		return Chosen{Ignore, "all rows have the same word"}
	case 2*c.Missing > t.Rows:
		return Chosen{Ignore, "more than half of its values are missing"}
	case ids && c.steps >= t.Rows-2 && (!t.header || strings.HasPrefix(c.Name, "column ") ||
		strings.HasSuffix(c.slug, "id")):
		return Chosen{Ignore, "it numbers the rows"}
	case ids && named:
		return Chosen{Ignore, "every row has a different number, and the name is that of an identifier"}
	case ids && !t.header && j == 0 && c.Max >= 1e5 && c.Max > 10*float64(t.Rows):
		return Chosen{Ignore, "every row has a different large number: an identifier"}
	case c.Type == Category:
		return Chosen{Feature, say.Messagef("%d words: one column of 0 and 1 for each", c.Distinct)}
	case c.Type == Bool:
		return Chosen{Feature, "true is 1, false is 0"}
	}
	return Chosen{Feature, "numbers"}
}

const marksTests say.Message = "it marks the test rows"

const beforePixels say.Message = "the first column, before pixels"

// findTarget returns the column of classes or targets.
func (t *Table) findTarget(out []Chosen) (column int, why say.Message) {
	able, identifiers := make([]bool, len(out)), make([]bool, len(out))
	for j := range out {
		able[j] = out[j].Role != Client && out[j].Role != Group && t.Columns[j].Type != Empty && j != t.testColumn &&
			!among(partNames, t.Columns[j].slug)
		rank, _ := t.owner(j)
		identifiers[j] = rank > 0
	}
	free := func(j int) bool { return able[j] }
	named := t.best(targetNames, func(c *Column) bool { return c.Type != Empty && c.Type != Date })
	if named >= 0 && free(named) {
		return named, byName
	}
	if len(t.Columns) == 1 || !t.header && !t.sideBySide && strings.HasPrefix(path.Base(t.sheets[0].path), "x_t") {
		return -1, "" // X_train.txt alone: its labels are in another file
	}
	word, words := -1, 0
	for j := range t.Columns {
		if c := &t.Columns[j]; free(j) && (c.Type == Category || c.Type == Bool) && 2*c.Distinct <= t.Rows &&
			c.Distinct > 1 && !identifiers[j] {
			word = j
			words++
		}
	}
	last := len(t.Columns) - 1
	for last > 0 && (!free(last) || out[last].Role == Ignore && t.Columns[last].Distinct < 2) {
		last--
	}
	if words == 1 {
		return word, "the only column of words"
	}
	if words > 0 && word == last {
		return word, "the last column"
	}
	may := func(j int) bool {
		c := &t.Columns[j]
		return free(j) && c.Type == Whole && c.Distinct > 1 && c.Distinct <= maxClasses && t.Rows >= 2*c.Distinct
	}
	pictures := len(t.Columns) > 64
	for j := 1; j <= last && pictures; j++ {
		c := &t.Columns[j]
		pictures = c.Type == Whole && c.Min >= 0 && c.Max <= 255
	}
	switch {
	case pictures && t.Columns[0].Type == Whole && t.Columns[0].Max < maxClasses && free(0):
		return 0, beforePixels
	case may(0) && !identifiers[0] && (!may(last) || t.Columns[0].Distinct < t.Columns[last].Distinct):
		return 0, "the first column, with repeated whole numbers"
	case may(last):
		return last, "the last column, with repeated whole numbers"
	}
	for j := last; j >= 0; j-- {
		if c := &t.Columns[j]; free(j) && out[j].Role != Ignore && (c.Type == Number || c.Type == Whole) {
			return j, "the last column of numbers"
		}
	}
	return -1, ""
}

// classes decides whether the values of a column are classes or targets. Texts are classes. Whole
// numbers are, in a column with a strong name, if there are at least two rows per value or at most
// ten values; in others, if there are two values, or five rows per value and either at most twenty
// values or all numbers from 0 or 1 to the largest. name is the index in targetNames, or −1.
func (c *Column) classes(rows, name int) Chosen {
	each := float64(rows-c.Missing) / float64(max(1, c.Distinct))
	count := say.Messagef("%d whole numbers, about %s rows each", c.Distinct,
		param.FormatFloat(float64(int(each*10))/10))
	switch {
	case c.Type == Number:
		return Chosen{Target, "fractions: a target"}
	case c.Type == Mixed && (c.numbers > c.whole || c.Distinct > maxClasses):
		return Chosen{Target, "numbers: a target"}
	case c.nominal():
		return Chosen{Label, "declared values: classes"}
	case c.Type != Whole:
		return Chosen{Label, "words: classes"}
	case c.Distinct > maxClasses:
		return Chosen{Target, "more than 256 whole numbers: a target"}
	}
	dense := (c.Min == 0 || c.Min == 1) && c.Max-c.Min+1 == float64(c.Distinct)
	if 0 <= name && name < strong && (each >= 2 || c.Distinct <= 10) || c.Distinct <= 2 || each >= 5 &&
		(c.Distinct <= 20 || dense) {
		return Chosen{Label, say.Messagef("%s: classes", count)}
	}
	return Chosen{Target, say.Messagef("%s: a target", count)}
}

// assignLines sets the roles of rows client,x,y, optionally with a group, and reports whether the table has such rows.
// With a header it does if the columns have these names and no other column has numbers or is named like a label;
// without a header, if there are three or four columns and clients have at least two rows.
func (t *Table) assignLines(out []Chosen) bool {
	roles := map[string]Role{"client": Client, "x": Feature, "y": Target, "group": Group}
	numbers := func(c *Column) bool { return c.Type == Number || c.Type == Whole || c.Type == Mixed }
	if !t.header {
		n := len(t.Columns)
		if n < 3 || n > 4 || t.sideBySide {
			return false
		}
		who := &t.Columns[0]
		switch {
		case who.Type == Number, who.Type == Empty, !numbers(&t.Columns[1]), !numbers(&t.Columns[2]):
			return false
		case t.Rows >= 4 && 2*who.Distinct > t.Rows && who.Type != Category:
			return false
		case n == 4 && (t.Columns[3].Type == Number || t.Columns[3].Distinct > 8):
			return false
		}
		for j := range t.Columns {
			out[j] = Chosen{[]Role{Client, Feature, Target, Group}[j],
				"client, x, y and perhaps a group, without a header"}
		}
		return true
	}
	found := map[string]bool{}
	for j := range t.Columns {
		c := &t.Columns[j]
		name := c.slug
		if _, ok := roles[name]; ok && !found[name] {
			found[name] = true
			if (name == "x" || name == "y") && !numbers(c) {
				return false
			}
			continue
		}
		if r := c.rank(targetNames); 0 <= r && r < strong || numbers(c) && out[j].Role != Ignore {
			return false
		}
	}
	if !found["client"] || !found["x"] || !found["y"] {
		return false
	}
	for j := range t.Columns {
		name := t.Columns[j].slug
		if !found[name] {
			out[j] = Chosen{Ignore, "not needed with client, x and y"}
			if j == t.testColumn {
				out[j].Why = marksTests
			}
			continue
		}
		found[name] = false
		out[j] = Chosen{roles[name], byName}
	}
	return true
}

// ByName reports whether all roles follow from names only.
func ByName(roles []Chosen) bool {
	return !slices.ContainsFunc(roles, func(c Chosen) bool { return c.Why != byName })
}

// Lines reports whether roles are those of rows client,x,y: one feature called x and a target called y, or neither has
// a name.
func (t *Table) Lines(roles []Chosen) bool {
	var count [len(roleNames)]int
	for j := range roles {
		r := roles[j].Role
		count[r]++
		if name := t.Columns[j].slug; t.header && (r == Feature && name != "x" || r == Target && name != "y") {
			return false
		}
	}
	return count[Feature] == 1 && count[Target] == 1 && count[Client] == 1 && count[Label] == 0
}

// Roles returns the guess with the changes of cols: pairs column:role, separated by commas, from
// left to right. A column is its number, from 1, a range of numbers such as 3-8, * for all, or the
// slug of its name.
func (t *Table) Roles(cols string) ([]Chosen, error) {
	out := t.guess()
	refuse := func(want, hint say.Message) error {
		return &param.Error{Field: "cols", Got: cols, Want: want, Hint: hint}
	}
	changed := make([]bool, len(out))
	for pair := range strings.SplitSeq(cols, ",") {
		if pair == "" {
			continue
		}
		name, word, _ := strings.Cut(pair, ":")
		role := slices.Index(roleNames[:], word)
		if role < 0 {
			return nil, refuse("column:role", say.Messagef("roles are %s", strings.Join(roleNames[:], ", ")))
		}
		from, to, err := t.find(name)
		if err != nil {
			return nil, refuse("a column of the table", say.Of(err))
		}
		for j := from; j <= to; j++ {
			out[j], changed[j] = Chosen{Role(role), byChoice}, true
		}
	}
	// A chosen role replaces a guessed one of the same exclusive kind.
	var taken [4]bool
	for j := range out {
		if changed[j] {
			taken[out[j].Role.exclusive()] = true
		}
	}
	for j := range out {
		kind := out[j].Role.exclusive()
		if changed[j] || kind == 0 || !taken[kind] {
			continue
		}
		if out[j] = t.ordinary(j); kind == 1 && out[j].Role == Feature {
			if r := t.Columns[j].rank(targetNames); 0 <= r && r < strong {
				out[j] = Chosen{Ignore, "another label, which reveals the answer"}
			}
		}
	}
	t.complete(out, changed)
	return out, nil
}

// exclusive returns the number of a role that only one column can have (target, client, group); 0 for other roles.
func (r Role) exclusive() int { return [...]int{0, 0, 1, 1, 2, 3}[r] }

// find returns the columns with a name in cols.
func (t *Table) find(name string) (from, to int, err error) {
	n := len(t.Columns)
	if name == "*" {
		return 0, n - 1, nil
	}
	low, high, ranged := strings.Cut(name, "-")
	if a, err := strconv.Atoi(low); err == nil {
		b := a
		if ranged {
			if b, err = strconv.Atoi(high); err != nil {
				return 0, 0, say.Errorf("%s is not a range of numbers", param.Quote(name))
			}
		}
		if a < 1 || b < a || b > n {
			return 0, 0, say.Errorf("there is no column %s; they have the numbers 1 to %d", name, n)
		}
		return a - 1, b - 1, nil
	}
	var all []string
	for j := range t.Columns {
		if t.Columns[j].slug == slug(name) {
			return j, j, nil
		}
		all = append(all, t.Columns[j].slug)
	}
	hint := param.DidYouMean(slug(name), all)
	if hint == "" && n <= 12 {
		hint = say.Messagef("the columns are %s", strings.Join(all, ", "))
	}
	return 0, 0, say.Errorf("no column is called %s; %s", param.Quote(name), hint)
}

// Cols returns the text of cols= that changes the guessed roles into these: columns that differ, and columns that these
// differences would change, such as a copy of the chosen label.
func (t *Table) Cols(roles []Role) string {
	named := make([]bool, len(roles))
	for j, chosen := range t.Guess() {
		named[j] = chosen.Role != roles[j]
	}
	for {
		text := t.cols(roles, named)
		got, err := t.Roles(text)
		more := false
		for j := range got {
			if got[j].Role != roles[j] && !named[j] {
				named[j], more = true, true
			}
		}
		if err != nil || !more {
			return text
		}
	}
}

// cols writes the roles of the columns in named. It uses a column's name, or its number if the name is not unique or
// not plain ASCII.
func (t *Table) cols(roles []Role, named []bool) string {
	names := map[string]int{}
	for j := range t.Columns {
		names[t.Columns[j].slug]++
	}
	var pairs []string
	for j, role := range roles {
		if !named[j] {
			continue
		}
		key := t.Columns[j].slug
		_, err := strconv.Atoi(key)
		if err == nil || key == "" || len(key) > 40 || names[key] > 1 ||
			strings.ContainsFunc(key, func(r rune) bool { return r > 0x7e }) {
			key = strconv.Itoa(j + 1)
		}
		pairs = append(pairs, key+":"+role.String())
	}
	return strings.Join(pairs, ",")
}
