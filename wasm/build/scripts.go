package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// addScripts adds third-party scripts, in the versions that scripts/package-lock.json pins. Their licences are in
// assets/third_party.
func addScripts(site files, root string) error {
	install := exec.Command(filepath.Join(root, ".ci", "npm"), "wasm/build/scripts", "scripts")
	if out, err := install.CombinedOutput(); err != nil {
		return fmt.Errorf("installing scripts with npm: %w\n%s", err, out)
	}
	var err error
	site["assets/lean-qr.js"], err = os.ReadFile(filepath.Join(root, ".build", "scripts", "node_modules", "lean-qr",
		"nano.mjs"))
	return err
}
