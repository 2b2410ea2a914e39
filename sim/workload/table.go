package workload

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"flockscope/sim/dataset"
	"flockscope/sim/param"
)

// Table is a checked file of samples: who holds which (x, y), and perhaps
// which group each client belongs to.
type Table struct {
	Clients []string // names, in order of first appearance
	Group   []int    // of each client; nil without a group column
	Groups  []string // names of the groups
	X, Y    [][]float32
}

// Limits of a table. They keep a mistaken file from freezing a tab.
const (
	MaxFileBytes   = 32 << 20
	maxFileClients = 2000
	maxFileGroups  = 8 // as many as there are marker shapes
	// largest keeps squares of gradients finite until a run that diverges
	// is caught.
	largest = 1e6
)

// ReadTable reads rows `client,x,y` or `client,x,y,group`. A first line that
// names its columns may have them in any order, and further ones, which are
// passed over. The error names the line and says what was expected there.
func ReadTable(data []byte) (*Table, error) {
	if len(data) > MaxFileBytes {
		return nil, fmt.Errorf("the file has %d MB, the most is %d MB", len(data)>>20, MaxFileBytes>>20)
	}
	data = dataset.Text(data)
	if err := dataset.CheckColumns(data); err != nil {
		return nil, err
	}
	r := csv.NewReader(bytes.NewReader(data))
	r.FieldsPerRecord = -1
	r.TrimLeadingSpace = true
	r.ReuseRecord = true
	b := tableBuilder{column: [4]int{0, 1, 2, 3}, client: map[string]int{}, group: map[string]int{}}
	for first := true; ; first = false {
		row, err := r.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, dataset.Torn(err)
		}
		line, _ := r.FieldPos(0)
		if first {
			header, err := b.header(row)
			if err != nil {
				return nil, fmt.Errorf("line %d: %v", line, err)
			}
			if header {
				continue
			}
			if rows, clients := firstNumbers(data); rows >= fewest && 2*clients > rows {
				return nil, fmt.Errorf("line %d: it is no header, and without one there would be %d rows of %d clients; expected a header, such as client,x,y or a,b,label", line, rows, clients)
			}
		}
		if err := b.add(row); err != nil {
			return nil, fmt.Errorf("line %d: %v", line, err)
		}
	}
	return b.finish()
}

// firstNumbers returns how many rows there are, and how many different numbers they
// begin with. Where most rows begin with a number of their own, it measures something and
// names no client, who would have several rows. It looks at no more rows than can tell.
func firstNumbers(text []byte) (rows, numbers int) {
	different := map[string]bool{}
	for line := range bytes.Lines(text) {
		first, _, ok := bytes.Cut(line, []byte(","))
		if !ok {
			continue
		}
		if rows++; isNumber(string(first)) {
			different[string(first)] = true
		}
		if rows == 2*maxFileClients {
			break
		}
	}
	return rows, len(different)
}

type tableBuilder struct {
	Table
	column        [4]int // where client, x, y and group stand; −1 for no group
	decided       bool   // whether column[3] and width are settled
	width         int    // values of a row
	client, group map[string]int
}

// header takes the first row if it names columns.
func (b *tableBuilder) header(row []string) (bool, error) {
	at := [4]int{-1, -1, -1, -1}
	for i, name := range row {
		for j, want := range [...]string{"client", "x", "y", "group"} {
			if strings.EqualFold(strings.TrimSpace(name), want) {
				if at[j] >= 0 {
					return false, fmt.Errorf("the header has column %q twice", want)
				}
				at[j] = i
			}
		}
	}
	if at == [4]int{-1, -1, -1, -1} {
		return false, nil
	}
	for j, name := range [...]string{"client", "x", "y"} {
		if at[j] < 0 {
			return false, fmt.Errorf("the header has no column %q; it needs client, x and y", name)
		}
	}
	b.column, b.decided, b.width = at, true, len(row)
	return true, nil
}

func (b *tableBuilder) add(row []string) error {
	if !b.decided {
		// Without a header the first row decides whether there are groups.
		if len(row) < 4 {
			b.column[3] = -1
		}
		b.decided, b.width = true, len(row)
	}
	need := 0
	for _, c := range b.column {
		need = max(need, c+1)
	}
	if len(row) < need {
		hint := ""
		if len(row) == 1 && strings.ContainsAny(row[0], ";\t") {
			hint = "; separate the columns with commas"
		}
		return fmt.Errorf("expected %d values (client, x, y%s), found %d%s", need, b.groupWord(), len(row), hint)
	}
	for surplus := len(row) - 1; surplus >= b.width; surplus-- {
		if strings.TrimSpace(row[surplus]) != "" {
			return fmt.Errorf("expected %d values, found %d; a number has a point, not a comma", b.width, surplus+1)
		}
	}
	x, err := number(row[b.column[1]], "x")
	if err != nil {
		return err
	}
	y, err := number(row[b.column[2]], "y")
	if err != nil {
		return err
	}
	name := strings.TrimSpace(row[b.column[0]])
	if name == "" {
		return errors.New("the client has no name")
	}
	i, known := b.client[name]
	if !known {
		if i = len(b.Clients); i == maxFileClients {
			return fmt.Errorf("more than %d clients", maxFileClients)
		}
		b.client[name] = i
		b.Clients = append(b.Clients, name)
		b.X, b.Y = append(b.X, nil), append(b.Y, nil)
	}
	if b.column[3] >= 0 {
		if err := b.plant(i, known, strings.TrimSpace(row[b.column[3]])); err != nil {
			return err
		}
	}
	b.X[i], b.Y[i] = append(b.X[i], x), append(b.Y[i], y)
	return nil
}

// plant notes the group of client i and refuses a client in two groups.
func (b *tableBuilder) plant(i int, known bool, name string) error {
	if name == "" {
		return fmt.Errorf("client %s has no group; give every row one, or leave the column out", param.Quote(b.Clients[i]))
	}
	g, ok := b.group[name]
	if !ok {
		if g = len(b.Groups); g == maxFileGroups {
			return fmt.Errorf("group %s is one too many: at most %d groups", param.Quote(name), maxFileGroups)
		}
		b.group[name] = g
		b.Groups = append(b.Groups, name)
	}
	if !known {
		b.Group = append(b.Group, g)
	} else if b.Group[i] != g {
		return fmt.Errorf("client %s is in group %s here and in group %s above", param.Quote(b.Clients[i]), param.Quote(name), param.Quote(b.Groups[b.Group[i]]))
	}
	return nil
}

func (b *tableBuilder) groupWord() string {
	if b.column[3] >= 0 {
		return ", group"
	}
	return ""
}

func (b *tableBuilder) finish() (*Table, error) {
	switch len(b.Clients) {
	case 0:
		return nil, errors.New("the file has no rows; each needs client,x,y")
	case 1:
		return nil, fmt.Errorf("all rows belong to client %s; at least two clients are needed", param.Quote(b.Clients[0]))
	}
	return &b.Table, nil
}

// number reads a finite number of at most largest in size.
func number(text, name string) (float32, error) {
	v, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		return 0, fmt.Errorf("expected a number for %s, found %s", name, param.Quote(text))
	}
	if math.Abs(v) > largest {
		return 0, fmt.Errorf("%s is %s; numbers beyond a million in size must be scaled down first", name, param.Quote(text))
	}
	return float32(v), nil
}
