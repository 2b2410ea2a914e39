package main

import (
	"archive/zip"
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// courseSite writes a folder with what a course needs of a built site.
func courseSite(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"index.html", "assets/boot.js", "assets/zh.txt"} {
		text, err := os.ReadFile(filepath.Join("../../..", name))
		if err == nil {
			err = os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755)
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name), text, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// The command writes one file, with the lessons in the given order, and no file if it fails.
func TestCourse(t *testing.T) {
	site := courseSite(t)
	dir := t.TempDir()
	taken := filepath.Join(dir, "taken.zip")
	if err := os.WriteFile(taken, []byte("mine"), 0o644); err != nil {
		t.Fatal(err)
	}
	run := func(path string, args ...string) (int, string, string) {
		var out, errs bytes.Buffer
		code := flock(context.Background(), append([]string{"course", "-o", path}, args...), &out, &errs)
		return code, out.String(), errs.String()
	}
	for _, tt := range []struct{ args, says, inside, page string }{
		{"-lessons 3,1", "2 lessons for SCORM 1.2", "<schemaversion>1.2<", `"lessons":[{"number":3,`},
		{"-scorm 2004 -pass 60 -lang zh -title X", "11 lessons for SCORM 2004", "<title>X</title>", `"scorm":"2004","lang":"zh","pass":60,"lessons":[{"number":1,`},
	} {
		path := filepath.Join(dir, tt.says+".zip")
		code, out, errs := run(path, append(strings.Fields(tt.args), "-site", site)...)
		if code != exitOK || !strings.Contains(out, tt.says) || errs != "" {
			t.Fatalf("course %s: code %d, %q, %q", tt.args, code, out, errs)
		}
		z, err := zip.OpenReader(path)
		if err != nil {
			t.Fatal(err)
		}
		defer z.Close()
		for name, want := range map[string]string{"imsmanifest.xml": tt.inside, "course.html": tt.page} {
			f, err := z.Open(name)
			if err != nil {
				t.Fatal(err)
			}
			if text, err := io.ReadAll(f); err != nil || !strings.Contains(string(text), want) {
				t.Errorf("course %s: %s lacks %s (%v)", tt.args, name, want, err)
			}
		}
	}
	for _, tt := range []struct{ args, want string }{
		{"-lessons 1,x -site " + site, `numbers of lessons such as 1,3,2; got "1,x"`},
		{"-lessons 12 -site " + site, "lessons have the numbers 1 to 11; got 12"},
		{"-scorm 3 -site " + site, `SCORM must be 1.2 or 2004; got "3"`},
		{"-pass 200 -site " + site, "from 0 to 100; got 200"},
		{"-site " + dir, "make build"},
		{"-site " + filepath.Join(dir, "nowhere"), "make build"},
		{"data=linreg -site " + site, `course takes flags only, got "data=linreg"`},
		{"-speed 3", "-speed"},
	} {
		path := filepath.Join(dir, "bad.zip")
		code, _, errs := run(path, strings.Fields(tt.args)...)
		if _, err := os.Stat(path); code != exitInput || !strings.Contains(errs, tt.want) || err == nil {
			t.Errorf("course %s: code %d, %q, want %q and no file", tt.args, code, errs, tt.want)
		}
	}
	if code, _, errs := run(taken, "-site", site); code != exitInput || !strings.Contains(errs, "exists already") {
		t.Errorf("over a file: code %d, %q", code, errs)
	}
	if text, err := os.ReadFile(taken); err != nil || string(text) != "mine" {
		t.Errorf("the file that was there has %q (%v)", text, err)
	}
	if code, out, _ := run("", "-h"); code != exitOK || !strings.Contains(out, "-lessons") {
		t.Errorf("-h: code %d, %q", code, out)
	}
}
