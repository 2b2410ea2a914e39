// Package reader reads the user's files for an engine in a browser. It has all readers of package ingest, so only a
// program that opens files imports it.
//
//	reader.go      reads files and tells the page what they are
//	inflate_js.go  unpacks them with the browser's own code
package reader

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"flockscope/sim/ingest"
	"flockscope/sim/lab/plan"
	"flockscope/sim/say"
	"flockscope/sim/textfile/packed"
	"flockscope/sim/userfiles"
	"flockscope/sim/wire"
	"flockscope/sim/workload"
)

// Reader implements [engine.Reader].
type Reader struct{}

// mostResults is the maximum size of unpacked results, in bytes.
const mostResults = 256 << 20

// Unpack implements [engine.Reader]. Where the data are damaged or too long, the text ends with a line that is no
// record and says why, so the page counts it.
func (Reader) Unpack(files []wire.NamedFile) []byte {
	if len(files) != 1 || !packed.Is(files[0].Data) {
		return nil
	}
	data := files[0].Data
	if !plan.IsRecords(packed.Head(bytes.NewReader(data), 4096)) {
		return nil
	}
	text, err := io.ReadAll(io.LimitReader(packed.NewReader(bytes.NewReader(data)), mostResults))
	if err == nil && len(text) == mostResults {
		err = fmt.Errorf("it has more than %d bytes", mostResults)
	}
	if err != nil {
		text = fmt.Appendf(text, "\n%v", err)
	}
	return text
}

// Open implements [engine.Reader].
func (Reader) Open(files []wire.NamedFile) (*workload.File, error) {
	out := make([]ingest.File, len(files))
	for i, f := range files {
		out[i] = ingest.File{Name: f.Name, Data: f.Data}
	}
	return userfiles.Open(out)
}

// Choose implements [engine.Reader].
func (Reader) Choose(answer *wire.Message, opened *workload.File, roles string) *workload.File {
	asked := map[string]string{}
	for setting := range strings.SplitSeq(roles, "&") {
		key, value, _ := strings.Cut(setting, "=")
		asked[key] = value
	}
	if t := userfiles.Columns(opened); t != nil {
		chosen, err := t.Roles(asked["cols"])
		if err != nil {
			chosen = t.Guess()
		}
		var lines []string
		for _, line := range t.Inspect(chosen) {
			lines = append(lines, line.String())
		}
		answer.Text(wire.Columns, strings.Join(lines, "\n"))
	}
	file, err := opened.With(asked["cols"], asked["na"])
	if err != nil {
		answer.Text(wire.Refused, string(say.Of(err)))
		return nil
	}
	advised := asked["kept"] == ""
	settings := append([]string{file.Data()}, file.SettingsApart()...)
	if !advised {
		settings = append(settings[:1], file.Settings()...)
	}
	for _, key := range []string{"cols", "na"} {
		if value := asked[key]; value != "" {
			settings = append(settings, key+"="+value)
		}
	}
	if advised {
		settings = append(settings, file.Advice()...)
	}
	words := append([]say.Message{file.Words()}, file.Notes...)
	if file.ConstantNote != "" {
		words = append(words, file.ConstantNote)
	}
	if note := file.Adapted(func(key string) bool { return key == "test" && !advised }, advised); note != "" {
		words = append(words, note)
	}
	answer.Text(wire.Accepted, strings.Join(settings, "&")+" "+string(say.JoinMessage(words, ". ")))
	return file
}
