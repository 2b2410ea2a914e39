//go:build !js

package main

import (
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"
	"text/template"
	"unicode"

	"flockscope/sim/lab/plan"
	"flockscope/sim/param"
	"flockscope/sim/say"
	"flockscope/sim/version"
)

// job is what the templates of -emit fill in.
type job struct {
	Plan, Indented string // the text of the plan
	Shards         int
	Each           int    // parts that one task of an array computes, one after the other
	Last           int    // number of the last task
	Size           string // how many cells in how many parts
	Grouped        string // why tasks have several parts, "" where they do not
	Out, Merge     string // the file of results, and what puts the parts into it, for a shell
	Args           string // of a container, as a list of YAML
	Image          string // for a shell
	YAMLImage      string
	Version        string
	Data           bool
}

// mostTasks is how many tasks an array of Slurm has at most unless its configuration says
// otherwise: numbers stay below MaxArraySize, 1001.
const mostTasks = 1001

// printJob prints a job for a cluster.
func (s *sweepFlags) printJob(out, errs io.Writer, p *plan.Plan) error {
	text, ok := jobs[s.emit]
	if !ok {
		return badInput(&param.Error{Field: "-emit", Got: s.emit, Want: "slurm, kubernetes or container"})
	}
	shards := 16
	if s.shards != "" {
		var err error
		if shards, err = whole("-shards", s.shards, maxShards); err != nil {
			return badInput(err)
		}
	}
	name := s.out
	if name == "" {
		name = "results.flock"
	}
	if strings.IndexFunc(name, unicode.IsControl) >= 0 {
		return badInput(&param.Error{Field: "-o", Got: name, Want: "a name of one line"})
	}
	if s.emit == "kubernetes" {
		name = filepath.Base(name)
	}
	ext := filepath.Ext(name)
	parts := plan.ShellWord(strings.TrimSuffix(name, ext)) + fmt.Sprintf("-*-of-%d", shards)
	if ext != "" {
		parts += plan.ShellWord(ext)
	}
	args := []string{"sweep", "-plan", "/plan/plan.txt", "-shards", strconv.Itoa(shards), "-o", "/results/" + name}
	if p.Data != "" {
		args = append(args, "-data", "/data/FILE")
	}
	j := job{Plan: p.String(), Indented: strings.ReplaceAll(strings.TrimSuffix(p.String(), "\n"), "\n", "\n    "),
		Shards: shards, Each: 1, Size: say.Amount(p.Cells(), "cell") + " in " + say.Amount(shards, "part"),
		Out: plan.ShellWord(name), Merge: "flock merge -o " + plan.ShellWord(name) + " " + parts,
		Args: yamlList(args), Image: plan.ShellWord(s.image), YAMLImage: jsonText(s.image),
		Version: version.Text("flock"), Data: p.Data != ""}
	var words []string
	if s.emit == "slurm" && shards > mostTasks {
		j.Each = (shards + mostTasks - 1) / mostTasks
		tasks := (shards + j.Each - 1) / j.Each
		j.Grouped = fmt.Sprintf("%s parts are more than the %s tasks that an array of Slurm has by default (MaxArraySize), "+
			"so each of %s tasks computes up to %s", say.Whole(shards), say.Whole(mostTasks), say.Whole(tasks),
			say.Amount(j.Each, "part"))
		words = append(words, j.Grouped)
	}
	j.Last = (shards - 1) / j.Each
	if cells := p.Cells(); s.emit != "container" && shards > cells {
		words = append(words, fmt.Sprintf("there %s only %s for %s: some parts have nothing to do",
			say.Either(cells, "is", "are"), say.Amount(cells, "cell"), say.Amount(shards, "part")))
	}
	for _, w := range words {
		fmt.Fprintln(errs, "flock:", w)
	}
	if err := template.Must(template.New("job").Parse(text)).Execute(out, &j); err != nil {
		return fmt.Errorf("-emit: %w", err)
	}
	return nil
}

// yamlList returns texts as a list of YAML, of which one of JSON is one. Kubernetes puts
// variables of the container in the place of $(NAME), and one $ in the place of two.
func yamlList(texts []string) string {
	quoted := make([]string, len(texts))
	for i, text := range texts {
		quoted[i] = jsonText(strings.ReplaceAll(text, "$", "$$"))
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}

var jobs = map[string]string{"slurm": slurmJob, "kubernetes": kubernetesJob, "container": containerRecipe}

const slurmJob = `#!/bin/bash
# {{.Size}}, by {{.Version}}.
#
#   flock sweep -emit slurm … > sweep.sh
#   sbatch sweep.sh
#
# When all tasks have ended:
#
#   {{.Merge}}
#
# A task that was stopped goes on when it is submitted again: sbatch sweep.sh, or
# sbatch --array=3,7 sweep.sh for some of them.
#
#SBATCH --job-name=flock
#SBATCH --array=0-{{.Last}}
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=2
#SBATCH --mem-per-cpu=1G
#SBATCH --time=24:00:00
#SBATCH --signal=B:TERM@60
#SBATCH --requeue
#SBATCH --output=flock-%a.log
#SBATCH --open-mode=append

FLOCK="${FLOCK:-flock}"
export GOMAXPROCS="${SLURM_CPUS_PER_TASK:-1}"

{{if eq .Each 1 -}}
# exec, so that the signal that Slurm sends before the time is over reaches flock.
exec "$FLOCK" sweep -plan - -shard "$SLURM_ARRAY_TASK_ID/{{.Shards}}" -o {{.Out}}{{if .Data}} -data "$DATA"{{end}} <<'PLAN'
{{.Plan}}PLAN
{{else -}}
# {{.Grouped}}.
PLAN=$(cat <<'PLAN'
{{.Plan}}PLAN
)

# The signal that Slurm sends before the time is over reaches this script: hand it on.
stop() { kill -TERM "$child"; wait "$child"; exit; }
trap stop TERM
status=0
first=$((SLURM_ARRAY_TASK_ID * {{.Each}}))
for ((part = first; part < first + {{.Each}} && part < {{.Shards}}; part++)); do
  "$FLOCK" sweep -plan - -shard "$part/{{.Shards}}" -o {{.Out}}{{if .Data}} -data "$DATA"{{end}} <<<"$PLAN" &
  child=$!
  wait "$child" || status=$?
done
exit "$status"
{{end -}}
`

const kubernetesJob = `# {{.Size}}, by {{.Version}}.
#
#   flock sweep -emit kubernetes … > sweep.yaml
#   kubectl apply -f sweep.yaml
#   kubectl wait --for=condition=complete --timeout=-1s job/flock-sweep
#
# A part whose pod is evicted goes on where it was. When the job is complete, copy the
# files from the volume, or run there:
#
#   {{.Merge}}
#
apiVersion: v1
kind: ConfigMap
metadata:
  name: flock-plan
data:
  plan.txt: |
    {{.Indented}}
---
# Any class of volume does that many pods may write to at once.
apiVersion: v1
kind: PersistentVolumeClaim
metadata:
  name: flock-results
spec:
  accessModes: [ReadWriteMany]
  resources:
    requests:
      storage: 10Gi
---
apiVersion: batch/v1
kind: Job
metadata:
  name: flock-sweep
spec:
  completionMode: Indexed
  completions: {{.Shards}}
  parallelism: {{.Shards}}
  backoffLimitPerIndex: 5
  maxFailedIndexes: {{.Shards}}
  podFailurePolicy:
    rules:
    - action: Ignore # an eviction is no failure
      onPodConditions:
      - type: DisruptionTarget
    - action: FailIndex # cells that failed would fail again
      onExitCodes:
        operator: In
        values: [1, 2]
  template:
    spec:
      restartPolicy: Never
      terminationGracePeriodSeconds: 60
      securityContext:
        runAsNonRoot: true
        runAsUser: 65532
        fsGroup: 65532
      containers:
      - name: flock
        image: {{.YAMLImage}}
        args: {{.Args}}
        resources:
          requests: {cpu: "2", memory: 1Gi}
          limits: {memory: 2Gi}
        volumeMounts:
        - {name: plan, mountPath: /plan}
        - {name: results, mountPath: /results}
      volumes:
      - name: plan
        configMap: {name: flock-plan}
      - name: results
        persistentVolumeClaim: {claimName: flock-results}
`

const containerRecipe = `# The image of flock: the program alone, some 30 MB.
#
#   flock sweep -emit container … > Containerfile
#   docker build -f Containerfile -t {{.Image}} .     (or podman; in the source tree)
#
# By {{.Version}}.
FROM golang:1.26 AS build
WORKDIR /src
COPY . .
RUN CGO_ENABLED=0 go build -trimpath -o /flock ./sim/cmd/flock

FROM scratch
COPY --from=build /flock /usr/bin/flock
USER 65532:65532
ENTRYPOINT ["/usr/bin/flock"]
`
