// Package kubernetes checks the manifest that flock prints for Kubernetes against
// Kubernetes' own types: no cluster is needed.
package kubernetes

import (
	"bytes"
	"os/exec"
	"strings"
	"testing"

	batch "k8s.io/api/batch/v1"
	core "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation"
	"sigs.k8s.io/yaml"
)

func TestManifest(t *testing.T) {
	cmd := exec.Command("go", "run", "./sim/cmd/flock", "sweep", "-emit", "kubernetes", "-shards", "8", "-image",
		"example.org/flock:1",
		"-o", "a/study.flock", "-vary", "algos=ifca;ifca:k5&ifca:k5.K=5", "-vary", "dphi=5:40:5", "-seeds", "7", "T=5")
	cmd.Dir = "../.."
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, &errs)
	}
	documents := strings.Split(string(out), "\n---\n")
	if len(documents) != 3 {
		t.Fatalf("there are %d documents, want 3:\n%s", len(documents), out)
	}
	read := func(n int, into any) { // refuses what the type does not have
		t.Helper()
		if err := yaml.UnmarshalStrict([]byte(documents[n]+"\n"), into); err != nil {
			t.Fatalf("document %d: %v\n%s", n, err, documents[n])
		}
	}
	var plan core.ConfigMap
	var claim core.PersistentVolumeClaim
	var job batch.Job
	read(0, &plan)
	read(1, &claim)
	read(2, &job)
	for _, kind := range []struct{ got, want string }{
		{plan.APIVersion + " " + plan.Kind, "v1 ConfigMap"}, {claim.APIVersion + " " + claim.Kind, "v1 PersistentVolumeClaim"},
		{job.APIVersion + " " + job.Kind, "batch/v1 Job"},
	} {
		if kind.got != kind.want {
			t.Errorf("got %s, want %s", kind.got, kind.want)
		}
	}
	for _, name := range []string{plan.Name, claim.Name, job.Name, job.Spec.Template.Spec.Containers[0].Name} {
		if wrong := validation.IsDNS1123Label(name); len(wrong) > 0 {
			t.Errorf("the name %q: %s", name, wrong)
		}
	}
	const text = "query data=linreg&T=5&algos=cflgp,ifca\nvary algos=ifca;ifca:k5&ifca:k5.K=5;\nvary dphi=5,10,15,20,25,30,35,40\nseeds 7\n"
	if plan.Data["plan.txt"] != text {
		t.Errorf("the plan is %q, want %q", plan.Data["plan.txt"], text)
	}
	spec := job.Spec
	if *spec.CompletionMode != batch.IndexedCompletion || *spec.Completions != 8 || *spec.Parallelism != 8 ||
		*spec.BackoffLimitPerIndex < 1 {
		t.Errorf("the job is %+v", spec)
	}
	pod := spec.Template.Spec
	if pod.RestartPolicy != core.RestartPolicyNever { // a policy for failures of pods asks for that
		t.Errorf("the pods restart %s", pod.RestartPolicy)
	}
	c := pod.Containers[0]
	if got := strings.Join(c.Args, " "); got != "sweep -plan /plan/plan.txt -shards 8 -o /results/study.flock" ||
		c.Image != "example.org/flock:1" {
		t.Errorf("the container %s is told %s", c.Image, got)
	}
	volumes := map[string]bool{}
	for _, v := range pod.Volumes {
		volumes[v.Name] = v.ConfigMap != nil && v.ConfigMap.Name == plan.Name ||
			v.PersistentVolumeClaim != nil && v.PersistentVolumeClaim.ClaimName == claim.Name
	}
	for _, m := range c.VolumeMounts {
		if !volumes[m.Name] {
			t.Errorf("the volume %s at %s is none", m.Name, m.MountPath)
		}
	}
}
