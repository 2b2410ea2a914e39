//go:build !js

package cluster

import (
	"embed"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"
	"text/template"
	"unicode"

	"flockscope/sim/lab/plan"
	"flockscope/sim/lab/results"
	"flockscope/sim/param"
	"flockscope/sim/say"
	"flockscope/sim/version"
)

//go:embed jobs/*.tmpl
var jobFiles embed.FS

var jobTemplates = template.Must(template.ParseFS(jobFiles, "jobs/*.tmpl"))

// jobKinds names the template of each kind of job.
var jobKinds = map[string]string{"slurm": "slurm.sh.tmpl", "kubernetes": "kubernetes.yaml.tmpl",
	"container": "Containerfile.tmpl"}

// Job is a sweep that is divided into tasks of a cluster.
type Job struct {
	Kind  string // slurm, kubernetes, or container for the image that the other kinds need
	Parts int
	Out   string // file of results
	Image string // container image
}

// jobText is the data of the templates.
type jobText struct {
	Plan, Indented string // text of the plan, and the same indented
	Shards         int
	Each           int    // parts that one task of an array computes in sequence
	Last           int    // number of the last task
	Size           string // number of cells and parts, in words
	Grouped        string // why tasks have several parts; "" if they have one
	Out, Merge     string // file of results, and the command that merges the parts, quoted for a shell
	Args           string // arguments of the container, as a YAML list
	Image          string // image, quoted for a shell
	YAMLImage      string
	Version        string
	Data           bool
}

// maxTasks is the most tasks of an array of Slurm unless its configuration says otherwise: indices must be below
// MaxArraySize, 1001.
const maxTasks = 1001

// Write writes the job for a plan to w, and notes about the job to log.
func (j *Job) Write(w io.Writer, p *plan.Plan, log *Log) error {
	name, ok := jobKinds[j.Kind]
	if !ok {
		return inputError{&param.Error{Field: "-emit", Got: j.Kind, Want: "slurm, kubernetes or container"}}
	}
	if strings.IndexFunc(j.Out, unicode.IsControl) >= 0 {
		return inputError{&param.Error{Field: "-o", Got: j.Out, Want: "a name of one line"}}
	}
	text := j.text(p)
	if text.Grouped != "" {
		log.Printf("%s", text.Grouped)
	}
	if cells := p.Cells(); j.Kind != "container" && j.Parts > cells {
		log.Printf("there %s only %s for %s: some parts have nothing to do",
			say.Either(cells, "is", "are"), say.Amount(cells, "cell"), say.Amount(j.Parts, "part"))
	}
	if err := jobTemplates.ExecuteTemplate(w, name, text); err != nil {
		return fmt.Errorf("-emit: %w", err)
	}
	return nil
}

func (j *Job) text(p *plan.Plan) *jobText {
	out := j.Out
	if j.Kind == "kubernetes" {
		out = filepath.Base(out)
	}
	ext := filepath.Ext(out)
	parts := plan.ShellWord(strings.TrimSuffix(out, ext)) + fmt.Sprintf("-*-of-%d", j.Parts)
	if ext != "" {
		parts += plan.ShellWord(ext)
	}
	args := []string{"sweep", "-plan", "/plan/plan.txt", "-shards", strconv.Itoa(j.Parts), "-o", "/results/" + out}
	if p.Data != "" {
		args = append(args, "-data", "/data/FILE")
	}
	t := &jobText{Plan: p.String(), Indented: strings.ReplaceAll(strings.TrimSuffix(p.String(), "\n"), "\n", "\n    "),
		Shards: j.Parts, Each: 1, Size: say.Amount(p.Cells(), "cell") + " in " + say.Amount(j.Parts, "part"),
		Out: plan.ShellWord(out), Merge: "flock merge -o " + plan.ShellWord(out) + " " + parts,
		Args: yamlList(args), Image: plan.ShellWord(j.Image), YAMLImage: results.Quote(j.Image),
		Version: version.Text("flock"), Data: p.Data != ""}
	if j.Kind == "slurm" && j.Parts > maxTasks {
		t.Each = (j.Parts + maxTasks - 1) / maxTasks
		tasks := (j.Parts + t.Each - 1) / t.Each
		t.Grouped = fmt.Sprintf("%s parts are more than the %s tasks that an array of Slurm has by default (MaxArraySize), "+
			"so each of %s tasks computes up to %s", say.Whole(j.Parts), say.Whole(maxTasks), say.Whole(tasks),
			say.Amount(t.Each, "part"))
	}
	t.Last = (j.Parts - 1) / t.Each
	return t
}

// yamlList returns texts as a YAML list, for which JSON is valid. $ is doubled, because Kubernetes replaces $(NAME) by
// a variable of the container, and $$ by $.
func yamlList(texts []string) string {
	quoted := make([]string, len(texts))
	for i, text := range texts {
		quoted[i] = results.Quote(strings.ReplaceAll(text, "$", "$$"))
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}
