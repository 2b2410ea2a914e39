//go:build linux

package main

import (
	"bytes"
	"crypto/rand"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// slurm starts a Slurm of one node, this machine, on loopback, with all its files in one
// folder, and returns the folder. It needs root.
func slurm(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"munged", "slurmctld", "slurmd", "sbatch"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Skip(err)
		}
	}
	munge, err := user.Lookup("munge")
	if err != nil || os.Getuid() != 0 {
		t.Skip("a Slurm needs root, and a user munge: ", err)
	}
	dir, err := os.MkdirTemp("", "flock-slurm-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(os.Chmod(dir, 0o755))
	uid, _ := strconv.Atoi(munge.Uid)
	gid, _ := strconv.Atoi(munge.Gid)
	for name, mode := range map[string]os.FileMode{"run": 0o755, "munge": 0o700, "state": 0o755, "spool": 0o755,
		"log": 0o755, "work": 0o755} {
		must(os.Mkdir(filepath.Join(dir, name), mode))
		if name == "run" || name == "munge" {
			must(os.Chown(filepath.Join(dir, name), uid, gid))
		}
	}
	key := make([]byte, 1024)
	rand.Read(key)
	keyFile := filepath.Join(dir, "munge", "key")
	must(os.WriteFile(keyFile, key, 0o400))
	must(os.Chown(keyFile, uid, gid))
	host, err := os.Hostname()
	must(err)
	host, _, _ = strings.Cut(host, ".")
	var ports [2]int
	for i := range ports {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		must(err)
		ports[i] = l.Addr().(*net.TCPAddr).Port
		l.Close()
	}
	conf := strings.NewReplacer("$D", dir, "$H", host, "$C", strconv.Itoa(ports[0]), "$S", strconv.Itoa(ports[1])).Replace(`ClusterName=t
SlurmctldHost=$H(127.0.0.1)
SlurmctldPort=$C
SlurmdPort=$S
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
CryptoType=crypto/munge
AuthInfo=socket=$D/run/munge.sock
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
StateSaveLocation=$D/state
SlurmdSpoolDir=$D/spool
ReturnToService=2
SwitchType=switch/none
SlurmctldPidFile=$D/run/slurmctld.pid
SlurmdPidFile=$D/run/slurmd.pid
SlurmctldLogFile=$D/log/slurmctld.log
SlurmdLogFile=$D/log/slurmd.log
NodeName=$H NodeAddr=127.0.0.1 CPUs=2 RealMemory=4000 State=UNKNOWN
PartitionName=p Nodes=$H Default=YES MaxTime=INFINITE State=UP
`)
	must(os.WriteFile(filepath.Join(dir, "slurm.conf"), []byte(conf), 0o644))
	t.Setenv("SLURM_CONF", filepath.Join(dir, "slurm.conf"))
	for _, name := range []string{"munged", "slurmctld", "slurmd"} { // ended in reverse
		cmd := exec.Command(name, "-D")
		if name == "munged" {
			in := func(name string) string { return filepath.Join(dir, "munge", name) }
			cmd = exec.Command(name, "--foreground", "--force", "--socket="+filepath.Join(dir, "run", "munge.sock"),
				"--key-file="+keyFile,
				"--pid-file="+filepath.Join(dir, "run", "munged.pid"), "--log-file="+in("log"), "--seed-file="+in("seed"))
			cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}}
		}
		log, err := os.Create(filepath.Join(dir, "log", name+".out"))
		must(err)
		defer log.Close()
		cmd.Stdout, cmd.Stderr = log, log
		must(cmd.Start())
		t.Cleanup(func() { cmd.Process.Signal(syscall.SIGTERM); cmd.Wait() })
		if name == "munged" { // the others give up without it
			await(t, "munged", func() bool {
				_, err := os.Stat(filepath.Join(dir, "run", "munge.sock"))
				return err == nil
			})
		}
	}
	await(t, "an idle node", func() bool {
		out, _ := exec.Command("sinfo", "-h", "-o", "%t").Output()
		return strings.TrimSpace(string(out)) == "idle"
	})
	return dir
}

// The script that -emit slurm prints, run as it is by a real Slurm, merged: the results of
// a quiet sweep. A task that is submitted again computes nothing twice.
func TestSlurm(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a while")
	}
	const parts = 6
	dir := filepath.Join(slurm(t), "work")
	script, _ := says(t, 0, larger("-emit", "slurm", "-shards", strconv.Itoa(parts), "-o", "all.flock")...)
	path, err := built()
	if err != nil {
		t.Fatal(err)
	}
	// On this node there may be less memory than elsewhere.
	submit := func(args ...string) {
		t.Helper()
		cmd := exec.Command("sbatch", append([]string{"--wait", "--chdir=" + dir, "--export=ALL,FLOCK=" + path},
			args...)...)
		cmd.Stdin = strings.NewReader(script)
		if out, err := cmd.CombinedOutput(); err != nil {
			var logs bytes.Buffer
			names, _ := filepath.Glob(filepath.Join(dir, "*.log"))
			for _, name := range names {
				text, _ := os.ReadFile(name)
				fmt.Fprintf(&logs, "%s:\n%s", name, text)
			}
			t.Fatalf("sbatch: %v\n%s\n%s", err, out, &logs)
		}
	}
	submit()
	submit("--array=1,4")
	log, err := os.ReadFile(filepath.Join(dir, "flock-4.log"))
	if err != nil || !strings.Contains(string(log), "flock: part 4 of 6 (from 0), from -shard") ||
		!strings.Contains(string(log), "what it has is not computed again") {
		t.Errorf("the log of a task that was submitted again is %q, %v", log, err)
	}
	names, _ := filepath.Glob(filepath.Join(dir, "all-*-of-6.flock"))
	if len(names) != parts {
		t.Fatalf("there are %d files, want %d", len(names), parts)
	}
	all := filepath.Join(dir, "all.flock")
	says(t, 0, append([]string{"merge", "-o", all}, names...)...)
	if exported(t, all) != quiet(t, larger()) {
		t.Error("the results are others")
	}

	// The same by the environment that Slurm sets, without -shard.
	script = strings.Replace(script, `-shard "$SLURM_ARRAY_TASK_ID/6" -o all.flock`, "-o env.flock", 1)
	submit()
	names, _ = filepath.Glob(filepath.Join(dir, "env-*-of-6.flock"))
	all = filepath.Join(dir, "env.flock")
	says(t, 0, append([]string{"merge", "-o", all}, names...)...)
	if exported(t, all) != quiet(t, larger()) {
		t.Error("by Slurm's environment the results are others")
	}
}
