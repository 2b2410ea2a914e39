//go:build !js

package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"text/template"

	"flockscope/sim/param"
	"flockscope/sim/plan"
	"flockscope/sim/version"
)

// job is what the templates of -emit fill in.
type job struct {
	Plan, Indented string // the text of the plan
	Shards, Last   int
	Cells          string
	Out, Base, Ext string // the file of results: all of it, and what stands around a part's number
	Image, Version string
	Data           bool
}

// printJob prints a job for a cluster.
func (s *sweepFlags) printJob(out io.Writer, p *plan.Plan) error {
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
	if strings.ContainsAny(name, "\"'$`\\\n") {
		return badInput(errors.New("-o: use a name without quotation marks, $ and backslashes"))
	}
	if s.emit == "kubernetes" {
		name = filepath.Base(name)
	}
	ext := filepath.Ext(name)
	j := job{Plan: p.String(), Indented: strings.ReplaceAll(strings.TrimSuffix(p.String(), "\n"), "\n", "\n    "),
		Shards: shards, Last: shards - 1,
		Cells: count(p.Cells()), Out: name, Base: strings.TrimSuffix(name, ext), Ext: ext, Image: s.image,
		Version: version.Text("flock"), Data: p.Data != ""}
	if err := template.Must(template.New("job").Parse(text)).Execute(out, &j); err != nil {
		return fmt.Errorf("-emit: %w", err)
	}
	return nil
}

var jobs = map[string]string{"slurm": slurmJob, "kubernetes": kubernetesJob, "container": containerRecipe}

const slurmJob = `#!/bin/bash
# {{.Cells}} cells in {{.Shards}} parts, by {{.Version}}.
#
#   flock sweep -emit slurm … > sweep.sh
#   sbatch sweep.sh
#
# When all tasks have ended:
#
#   flock merge -o {{.Out}} {{.Base}}-*-of-{{.Shards}}{{.Ext}}
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

# exec, so that the signal that Slurm sends before the time is over reaches flock.
exec "$FLOCK" sweep -plan - -shard "$SLURM_ARRAY_TASK_ID/{{.Shards}}" -o '{{.Out}}'{{if .Data}} -data "$DATA"{{end}} <<'PLAN'
{{.Plan}}PLAN
`

const kubernetesJob = `# {{.Cells}} cells in {{.Shards}} parts, by {{.Version}}.
#
#   flock sweep -emit kubernetes … > sweep.yaml
#   kubectl apply -f sweep.yaml
#   kubectl wait --for=condition=complete --timeout=-1s job/flock-sweep
#
# A part whose pod is evicted goes on where it was. When the job is complete, copy the
# files from the volume, or run there:
#
#   flock merge -o {{.Out}} {{.Base}}-*-of-{{.Shards}}{{.Ext}}
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
        image: {{.Image}}
        args: [sweep, -plan, /plan/plan.txt, -shards, "{{.Shards}}", -o, /results/{{.Out}}{{if .Data}}, -data, /data/FILE{{end}}]
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
