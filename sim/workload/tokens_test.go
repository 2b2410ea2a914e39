package workload

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"flockscope/sim/ingest"
	"flockscope/sim/model"
	"flockscope/sim/param"
)

// sentences is a file of n different sentences in two classes.
func sentences(t *testing.T, n int) *File {
	t.Helper()
	text := "label,text\n"
	for i := range n {
		text += fmt.Sprintf("%s,this is what text number %d says\n", []string{"yes", "no"}[i%2], i)
	}
	files := []ingest.File{{Name: "a.csv", Data: []byte(text)}}
	opened, err := ingest.Open(files)
	if err != nil {
		t.Fatal(err)
	}
	return NewFile(opened, len(files))
}

// TestTokens: sentences become sequences of words for networks with an embedding, whatever the scale of features, and
// other networks are refused.
func TestTokens(t *testing.T) {
	entry, _ := Registry.Lookup("samples")
	try := func(words_ ...string) (Workload, error) {
		v := words("C=4", "sd=1")
		defaults(v, entry.Fields)
		set(v, append([]string{"shift=none", "texts=tokens", "vocabulary=20", "length=5"}, words_...)...)
		return entry.Make.Make(v.Values(), sentences(t, 200))
	}
	_, err := try("net=softmax")
	var wrong *param.Error
	if !errors.As(err, &wrong) || wrong.Field != "net" || !strings.Contains(err.Error(), "embedding") {
		t.Errorf("softmax of words: error %v", err)
	}
	if _, ok := model.Registry.Lookup("textcnn"); !ok {
		t.Skip("no network with an embedding")
	}
	w, err := try("net=textcnn", "scale=standard")
	if err != nil {
		t.Fatal(err)
	}
	var b model.Batch
	w.(Finite).Take(&b, 0, []int32{0})
	for _, x := range b.X {
		if x != float32(int(x)) || x < 0 || x >= 22 {
			t.Errorf("a text is %v, want numbers of words below 22", b.X)
		}
	}
}
