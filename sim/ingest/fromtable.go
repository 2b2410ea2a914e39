package ingest

import (
	"math"
	"slices"
	"strings"

	"flockscope/sim/dataset"
	"flockscope/sim/param"
	"flockscope/sim/say"
)

// maxOneHot is the most words of a category that is one-hot encoded.
const maxOneHot = 50

// maxCells limits the numbers of all samples of a table: 256 MB.
const maxCells = 64 << 20

// builder makes a set from a table.
type builder struct {
	t       *Table
	roles   []Chosen
	columns []destination
	width   int  // numbers per sample
	pixels  bool // features are the pixels of an image, 0 to 255
	// fractions means that features may be pixels from 0 to 1, which is known after reading all.
	fractions bool

	x       []float32
	offset  []float64 // offset of each number of x, nil for none
	bytes   []uint8
	texts   *texts // texts replace x if features are sentences
	as      dataset.Sequences
	value   []float32
	target  target
	client  roster
	group   roster
	groupOf map[int32]int32 // group of each client
	drop    []bool          // ignored rows

	labelColumn, targetColumn int // columns of labels and targets; −1 for none
	clientColumn, groupColumn int
	unlabelled, incomplete    int // ignored rows: without a label, or with another missing value
	filled                    int // number of values filled in
}

// destination is the position of a column's values in a sample.
type destination struct {
	at, width int
	offset    float64          // subtracted from the column's numbers
	words     map[string]int32 // for a category, the index of the one-hot column of each word
}

// Set makes a set from the rows of a table. Rows without a label are ignored, and so are those with another missing
// value, unless fill is set: then it is replaced by the mean of the column over the training samples. notes describe
// what was ignored or filled.
func (t *Table) Set(roles []Chosen, fill bool) (s *dataset.Set, notes []say.Message, err error) {
	s, notes, _, err = t.set(roles, fill, dataset.Sequences{})
	return s, notes, err
}

// set is Set that also returns the notes as parts of a sentence.
func (t *Table) set(roles []Chosen, fill bool, as dataset.Sequences) (s *dataset.Set, notes, rows []say.Message,
	err error) {
	b := &builder{t: t, roles: roles, as: as, labelColumn: -1, targetColumn: -1, clientColumn: -1, groupColumn: -1}
	if err := b.plan(); err != nil {
		return nil, nil, nil, err
	}
	switch {
	case b.texts != nil:
	case b.pixels:
		b.bytes = make([]uint8, t.Rows*b.width)
	default:
		b.x = make([]float32, t.Rows*b.width)
	}
	b.drop = make([]bool, t.Rows)
	if b.labelColumn >= 0 && t.Columns[b.labelColumn].attr != nil {
		b.target.declared = t.Columns[b.labelColumn].attr.Values
	}
	if b.targetColumn >= 0 {
		b.value = make([]float32, t.Rows)
	}
	for _, sheet := range t.sheets {
		if err := b.read(sheet, fill); err != nil {
			return nil, nil, nil, err
		}
	}
	s = &dataset.Set{Name: t.sheets[0].file.name}
	for j, c := range t.Columns {
		if roles[j].Role == Feature && (c.Type == Number || c.Type == Whole) {
			s.MaxAbs = max(s.MaxAbs, -c.Min, c.Max)
		}
	}
	if err := b.finish(s); err != nil {
		return nil, nil, nil, err
	}
	notes, rows = b.notes(fill)
	return s, append(notes, noteConstants(s, b.featureName)...), rows, nil
}

// tooLarge returns the error about too large targets.
func tooLarge(name say.Message, most float64) error {
	return say.Errorf("%s goes up to %s; expected targets of at most a million in absolute value: write them in a larger unit, such as thousands",
		name, say.Number(most))
}

// titleOf returns the name of a column for messages.
func (t *Table) titleOf(j int) say.Message {
	if number, ok := strings.CutPrefix(t.Columns[j].Name, "column "); ok {
		return say.Messagef("column %s", number)
	}
	return say.Messagef("column %s", param.Quote(t.Columns[j].Name))
}

func (b *builder) name(j int) say.Message { return b.t.titleOf(j) }

// featureName returns the name of the column of a feature, counted from 0.
func (b *builder) featureName(k int) say.Message {
	j := slices.IndexFunc(b.columns, func(f destination) bool { return f.at <= k && k < f.at+f.width })
	return say.Name(param.Plain(b.t.Columns[j].Name))
}

// refuse returns an error about the first file, or about the choice of roles.
func (b *builder) refuse(format string, args ...any) error {
	return b.t.sheets[0].errorf(format, args...)
}

// plan determines the destinations of the values of each column.
func (b *builder) plan() error {
	b.columns = make([]destination, len(b.t.Columns))
	of := featureColumns{sentences: -1, other: -1, bytes: true}
	for j := range b.t.Columns {
		if err := b.assign(j, &of); err != nil {
			return err
		}
		if err := b.checkNumbers(j); err != nil {
			return err
		}
	}
	edge := int(math.Sqrt(float64(b.width)))
	square := edge > 1 && edge*edge == b.width && b.named(edge)
	b.pixels = square && of.bytes && of.count == b.width
	if b.fractions = square && b.t.header; !b.pixels && !b.fractions {
		b.setOffsets()
	}
	if err := b.checkPlan(&of); err != nil || of.sentences < 0 {
		return err
	}
	return b.readVocabulary()
}

// featureColumns describes the features of a table.
type featureColumns struct {
	count            int
	sentences, other int  // the last column of sentences, and the last of another type; −1 for none
	bytes            bool // all values are whole numbers from 0 to 255
}

// assign sets the destination of a column among the features, or the column of a role.
func (b *builder) assign(j int, of *featureColumns) error {
	var at *int
	switch b.roles[j].Role {
	case Feature:
		return b.assignFeature(j, of)
	case Label:
		if b.t.Columns[j].Distinct > maxClasses {
			return b.refuse("%s has more than %d different values; expected %d classes at most, or the role number",
				b.name(j), maxClasses, maxClasses)
		}
		at = &b.labelColumn
	case Target:
		at = &b.targetColumn
	case Client:
		at = &b.clientColumn
	case Group:
		at = &b.groupColumn
	default:
		return nil
	}
	if *at >= 0 {
		return b.refuse("%s and %s both have the role %s; expected one", b.name(*at), b.name(j), b.roles[j].Role)
	}
	*at = j
	return nil
}

// assignFeature assigns as many numbers of a sample to a column as it needs: one, or one per word of a category. All
// columns of sentences share their numbers.
func (b *builder) assignFeature(j int, of *featureColumns) error {
	c, f := &b.t.Columns[j], &b.columns[j]
	of.count++
	if c.sentences() {
		of.sentences = j
		return nil
	}
	of.other = j
	f.at, f.width = b.width, 1
	if c.Type == Texts || c.Type == Category {
		if c.Distinct > maxOneHot {
			return b.refuse("%s has more than %d different words; expected numbers, or the role ignore, as in cols=%d:ignore",
				b.name(j), maxOneHot, j+1)
		}
		words := c.words()
		f.width, f.words = len(words), make(map[string]int32, len(words))
		for k, word := range words {
			f.words[word] = int32(k)
		}
	}
	b.width += f.width
	of.bytes = of.bytes && c.Type == Whole && c.Missing == 0 && c.Min >= 0 && c.Max <= 255
	return nil
}

// checkNumbers returns an error if the values of a column are not the numbers that its role needs, and determines the
// offset of targets.
func (b *builder) checkNumbers(j int) error {
	c, role := &b.t.Columns[j], b.roles[j].Role
	if c.Type == Mixed && (role == Feature || role == Target || role == Label && c.attr != nil) {
		c.stray.column = b.name(j)
		if c.oversized > 0 {
			return c.stray.errorf("expected a number of at most 3.4e38 in absolute value, found %s; remove the row, ignore the column, as in cols=%d:ignore, or write it in a larger unit",
				param.Quote(c.strayed), j+1)
		}
		return c.stray.errorf("expected a number, found %s; correct it, remove the row, or ignore the column, as in cols=%d:ignore",
			param.Quote(c.strayed), j+1)
	}
	if role != Target {
		return nil
	}
	from := offset(c.Min, c.Max, false)
	if b.columns[j].offset = from; max(from-c.Min, c.Max-from) > largest {
		return b.refuse("%s", tooLarge(b.name(j), max(-c.Min, c.Max)))
	}
	switch c.Type {
	case Number, Whole, Bool, Date:
		return nil
	}
	return b.refuse("%s has words; expected numbers as targets, or the role label, as in cols=%d:label", b.name(j), j+1)
}

// setOffsets determines the number to subtract from the values of each feature so that float32 keeps their
// differences.
func (b *builder) setOffsets() {
	for j := range b.t.Columns {
		c, f := &b.t.Columns[j], &b.columns[j]
		if b.roles[j].Role != Feature || c.Type != Number && c.Type != Whole && c.Type != Date {
			continue
		}
		if f.offset = offset(c.Min, c.Max, c.Type == Whole); f.offset != 0 {
			if b.offset == nil {
				b.offset = make([]float64, b.width)
			}
			b.offset[f.at] = f.offset
		}
	}
}

// checkPlan returns an error if the roles are not those of a set, or if the set is too large.
func (b *builder) checkPlan(of *featureColumns) error {
	key := max(b.labelColumn, b.targetColumn)
	switch {
	case b.labelColumn >= 0 && b.targetColumn >= 0:
		return b.refuse("%s is the label and %s the target; expected one of them",
			b.name(b.labelColumn), b.name(b.targetColumn))
	case key < 0:
		return b.refuse("no column is a label or target; name one label, class, target or y, choose one, as in cols=%d:label, or add a file of labels", len(b.t.Columns))
	case of.count == 0:
		for j := range b.roles {
			if b.roles[j].Why == b.t.copyOf(key) {
				return b.refuse("there is no feature: %s only repeats %s; add others, or choose it anyway, as in cols=%d:feature",
					b.name(j), b.name(key), j+1)
			}
		}
		return b.refuse("there is no feature; expected one besides %s, as in cols=1:feature", b.name(key))
	case of.sentences >= 0 && of.other >= 0:
		return b.refuse("%s has sentences and %s does not, so they cannot both be features; give one of them the role ignore, as in cols=%d:ignore",
			b.name(of.sentences), b.name(of.other), of.other+1)
	case of.sentences >= 0:
		return nil
	case b.width > maxFeatures:
		return b.refuse("expected %d features at most, found %d", maxFeatures, b.width)
	case b.width*b.t.Rows > maxCells:
		return b.refuse("%s", tooManyCells(b.t.Rows, b.width, maxCells))
	}
	return nil
}

// words returns the distinct values of a category, in the order of their one-hot columns.
func (c *Column) words() []string {
	if c.nominal() {
		return slices.DeleteFunc(slices.Clone(c.attr.Values), func(word string) bool {
			return !slices.Contains(c.seen.order, word)
		})
	}
	words := slices.Clone(c.seen.order)
	for v := range 256 {
		if c.seen.bytes[v/64]>>(v%64)&1 == 1 {
			words = append(words, canonicalNumber(float64(v)))
		}
	}
	slices.Sort(words)
	return words
}

// named reports whether the features are pixels of a square image, by their names: pixel0, pixel1 … or 1x1, 1x2 …, as
// in MNIST's tables; or no names, and values above 127.
func (b *builder) named(edge int) bool {
	highest := 0.0
	first := ""
	for j := range b.t.Columns {
		if b.roles[j].Role == Feature {
			if highest = max(highest, b.t.Columns[j].Max); first == "" {
				first = strings.ToLower(b.t.Columns[j].Name)
			}
		}
	}
	if strings.HasPrefix(first, "pixel") || first == "1x1" {
		return true
	}
	return edge >= 8 && highest > 127 && (!b.t.header || isNumeric(first))
}

// read reads the values of one file.
func (b *builder) read(s *sheet, fill bool) error {
	commas := s.comma != ','
	at := place{file: s.file}
	if b.labelColumn >= 0 {
		at.column = b.name(b.labelColumn)
	}
	return inSheet(s, s.samples(func(row, line int, cells []string) error {
		at.line = line
		for k, text := range cells {
			if err := b.cell(s.firstColumn+k, row, text, at, commas, fill); err != nil {
				return err
			}
		}
		if n := len(b.client.numberOfRow); n > 0 && n == len(b.group.numberOfRow) && !b.drop[row] {
			return b.grouped(b.client.numberOfRow[n-1], b.group.numberOfRow[n-1])
		}
		return nil
	}))
}

// grouped records the group of a client, and returns an error if the client was in another group before.
func (b *builder) grouped(who, group int32) error {
	before, known := b.groupOf[who]
	if !known {
		if b.groupOf == nil {
			b.groupOf = map[int32]int32{}
		}
		b.groupOf[who] = group
	} else if before != group {
		return say.Errorf("client %s is in group %s here and in group %s above; expected one group, or cols=%d:ignore",
			param.Quote(b.client.names[who]), param.Quote(b.group.names[group]),
			param.Quote(b.group.names[before]), b.groupColumn+1)
	}
	return nil
}

func inSheet(s *sheet, err error) error {
	if err != nil {
		return s.errorf("%s", err)
	}
	return nil
}

// cell reads one value.
func (b *builder) cell(j, row int, text string, at place, commas, fill bool) error {
	gone := b.t.Columns[j].missing(text)
	switch b.roles[j].Role {
	case Label:
		if gone {
			b.target.nameOfRow = append(b.target.nameOfRow, -1)
			b.dropRow(row, &b.unlabelled)
			break
		}
		if at.file.test && b.target.declared == nil && strings.HasSuffix(text, ".") {
			if _, known := b.target.index[text]; !known { // adult.test ends its classes with a full stop
				text = strings.TrimSuffix(text, ".")
			}
		}
		b.target.add(text, at)
	case Target:
		if gone {
			b.dropRow(row, &b.unlabelled)
		}
		b.value[row] = b.number32(j, text, commas)
	case Client:
		if v, ok := b.t.Columns[j].decimal(text, commas); ok {
			text = canonicalNumber(v)
		}
		b.client.add(text)
		if gone {
			b.dropRow(row, &b.incomplete)
		}
	case Group:
		b.group.add(text)
		if gone && b.clientColumn >= 0 && !b.drop[row] {
			return say.Errorf("%s has no value; give every row a group, or ignore the column with cols=%d:ignore",
				b.name(j), j+1)
		}
		if gone {
			b.dropRow(row, &b.incomplete)
		}
	case Feature:
		if b.texts != nil {
			if !gone {
				b.texts.add(row, text)
			}
			break
		}
		if gone && !fill {
			b.dropRow(row, &b.incomplete)
			break
		}
		b.feature(j, row, text, gone, commas)
	}
	return nil
}

// dropRow ignores a row, and counts it once.
func (b *builder) dropRow(row int, count *int) {
	if !b.drop[row] {
		b.drop[row] = true
		*count++
	}
}

func (b *builder) feature(j, row int, text string, gone, commas bool) {
	f := &b.columns[j]
	if b.pixels {
		v, _ := decimal(text, commas)
		b.bytes[row*b.width+f.at] = uint8(v)
		return
	}
	to := b.x[row*b.width+f.at:][:f.width]
	switch {
	case gone:
		b.filled++
		for k := range to {
			to[k] = float32(math.NaN())
		}
	case f.words != nil:
		if v, ok := b.t.Columns[j].decimal(text, commas); ok {
			text = canonicalNumber(v)
		}
		if k, ok := f.words[text]; ok {
			to[k] = 1
		}
	default:
		to[0] = b.number32(j, text, commas)
	}
}

// number32 reads a value of a column of numbers, Booleans or dates.
func (b *builder) number32(j int, text string, commas bool) float32 {
	var v float64
	switch b.t.Columns[j].Type {
	case Bool:
		v, _ = parseBool(text)
	case Date:
		v, _ = date(text)
	default:
		v, _ = decimal(text, commas)
	}
	return float32(v - b.columns[j].offset)
}

// finish makes the set from the rows that are kept.
func (b *builder) finish(s *dataset.Set) error {
	t := b.t
	var kept, tests []int // indices of rows
	for row := range t.Rows {
		switch {
		case b.drop[row]:
		case b.tests(row):
			tests = append(tests, row)
		default:
			kept = append(kept, row)
		}
	}
	train, moved := len(kept), len(tests) > 0 && len(kept) > 0 && tests[0] < kept[len(kept)-1]
	kept = append(kept, tests...)
	if len(kept) == 0 {
		return b.refuse("each of the %d rows has a missing value; fill them with na=mean, or ignore the columns "+
			"with most of them",
			t.Rows)
	}
	b.x, b.bytes = onlyRows(b.x, kept, b.width, moved), onlyRows(b.bytes, kept, b.width, moved)
	b.value = onlyRows(b.value, kept, 1, moved)
	if s.Train = train; train == 0 {
		train = len(kept)
	}
	if b.filled > 0 {
		b.fill(train)
	}
	s.Shape, s.Rows = dataset.Vector(b.width), &dataset.Features{Size: b.width, Data: b.x, Offset: b.offset}
	if b.fractions && !b.pixels {
		b.bytes, b.pixels = wholeBytes(b.x, 255)
	}
	switch {
	case b.texts != nil && b.as.Length > 0:
		s.Tokens = firstWord + len(b.texts.number)
		s.Shape, s.Rows = dataset.Vector(b.as.Length), b.texts.sequences(kept, b.as.Length)
	case b.texts != nil:
		bag := b.texts.bag(kept, train)
		s.Shape, s.Rows, s.Texts = dataset.Vector(bag.Size), bag, true
	case b.pixels:
		edge := int(math.Sqrt(float64(b.width)))
		s.Shape = dataset.Image(edge, edge, 1)
		s.Rows = &dataset.Pixels{Size: b.width, Data: lightOnDark(b.bytes, s.Shape)}
	}
	b.setClients(s, kept)
	if b.value != nil {
		s.Value, s.Offset = slices.Clip(b.value), b.columns[b.targetColumn].offset
		return nil
	}
	final := b.target.only(kept)
	if err := final.finish(s, false); err != nil {
		return err
	}
	if len(t.classes) == s.Classes && s.ClassNames[0] == "0" {
		s.ClassNames = slices.Clone(t.classes)
	}
	return nil
}

// tests reports whether a row is a test row.
func (b *builder) tests(row int) bool {
	t := b.t
	return row >= t.Train && t.Train > 0 || t.testColumn >= 0 && b.roles[t.testColumn].Role == Ignore && t.testRows[row]
}

// onlyRows returns some rows of all, with width numbers each. It moves them within all, unless moved is set: then their
// order differs from that in all.
func onlyRows[T any](all []T, rows []int, width int, moved bool) []T {
	if len(all) == 0 {
		return all
	}
	out := all[:0]
	if moved {
		out = make([]T, 0, len(rows)*width)
	}
	for _, row := range rows {
		out = append(out, all[row*width:(row+1)*width]...)
	}
	return out
}

// fill replaces missing values by the mean of their column over the training samples.
func (b *builder) fill(train int) {
	for k := range b.width {
		sum, n := 0.0, 0
		for i := k; i < min(train*b.width, len(b.x)); i += b.width {
			if v := float64(b.x[i]); !math.IsNaN(v) {
				sum += v
				n++
			}
		}
		mean := float32(sum / float64(max(1, n)))
		for i := k; i < len(b.x); i += b.width {
			if b.x[i] != b.x[i] {
				b.x[i] = mean
			}
		}
	}
}

// setClients sets the clients and groups of the samples.
func (b *builder) setClients(s *dataset.Set, kept []int) {
	var clients, groups roster
	switch {
	case b.clientColumn >= 0:
		for _, row := range kept {
			if _, fresh := clients.add(b.client.names[b.client.numberOfRow[row]]); fresh && b.groupColumn >= 0 {
				groups.add(b.group.names[b.group.numberOfRow[row]])
			}
		}
		s.Writer, s.Writers = clients.numberOfRow, clients.names
		s.Group, s.Groups = groups.numberOfRow, groups.names
	case b.groupColumn >= 0:
		for _, row := range kept {
			groups.add(b.group.names[b.group.numberOfRow[row]])
		}
		domains(s, &groups)
	default:
		var stems roster
		var sheet *sheet // the sheet with the row
		for _, row := range kept {
			for k := 0; sheet == nil || row < sheet.firstRow || row >= sheet.firstRow+sheet.rows ||
				sheet.firstColumn > 0; k++ {
				sheet = b.t.sheets[k]
			}
			stems.add(sheet.stem)
		}
		if len(stems.numberOfRow) == len(kept) {
			domains(s, &stems)
		}
	}
}

// only returns the targets of some rows.
func (t *target) only(rows []int) *target {
	out := &target{declared: t.declared}
	for _, row := range rows {
		k := t.nameOfRow[row]
		out.add(t.names[k], t.first[k])
	}
	return out
}

// notes says what was ignored or filled, as whole sentences and as parts of a sentence, without full stops.
func (b *builder) notes(fill bool) (notes, rows []say.Message) {
	notes = slices.Clone(b.t.Notes)
	if b.t.Lines(b.roles) {
		notes = nil // rows with clients need no names for them
	}
	add := func(n int, sentence, one, many say.Message) {
		switch {
		case n == 1:
			notes, rows = append(notes, sentence), append(rows, one)
		case n > 1:
			notes, rows = append(notes, many), append(rows, many)
		}
	}
	add(b.unlabelled, "One row without a label is ignored", "one row without a label is ignored",
		say.Messagef("%d rows without a label are ignored", b.unlabelled))
	add(b.incomplete, "One row with a missing value is ignored", "one row with a missing value is ignored",
		say.Messagef("%d rows with missing values are ignored", b.incomplete))
	if fill {
		add(b.filled, "A missing value is filled by the mean of its column",
			"a missing value is filled by the mean of its column",
			say.Messagef("%d missing values are filled by the means of their columns", b.filled))
	}
	return notes, rows
}
