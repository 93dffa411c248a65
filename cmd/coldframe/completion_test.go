//go:build unix

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestCompletion has bash complete command lines.
func TestCompletion(t *testing.T) {
	const library = "/usr/share/bash-completion/bash_completion"
	if _, err := os.Stat(library); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal(err)
		}
		t.Skip("the package bash-completion is not installed")
	}
	script := filepath.Join(t.TempDir(), "coldframe")
	text, err := exec.Command("coldframe", "completion", "bash").Output()
	if err == nil {
		err = os.WriteFile(script, text, 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
	const complete = `
source "$1"; source "$2"; shift 2
[[ $(complete -p coldframe) == *'-o default'*'-F __start_coldframe'* ]] || echo 'no files are completed'
for line; do
  COMP_LINE=$line COMP_POINT=${#line} COMP_TYPE=9 COMP_WORDS=($line) COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) COMPREPLY=()
  __start_coldframe 2>/dev/null # compopt works in a completion only
  printf '%s: %s\n' "$line" "${COMPREPLY[*]}"
done`
	// The shell reads its library once.
	command := exec.Command("bash", "--norc", "-c", complete, "bash", library, script)
	var want strings.Builder
	for line, completed := range map[string]string{
		"coldframe te":                       "test",
		"coldframe s":                        "scenario",
		"coldframe scenario l":               "list",
		"coldframe help sce":                 "scenario",
		"coldframe completion p":             "powershell",
		"coldframe --stat":                   "--stateless",
		"coldframe mock --unknown-items r":   "refuse",
		"coldframe test --fail-on w":         "warning",
		"coldframe test --phase examples,co": `examples\,coverage`, // as a shell reads it
		"coldframe test --check !status-doc": `\!status-documented`,
		"coldframe test --report sar":        "sarif",
		"coldframe mock --port 4":            "",
		"coldframe lint plants":              "", // then readline completes files
		"coldframe plants":                   "",
	} {
		command.Args = append(command.Args, line)
		fmt.Fprintf(&want, "%s: %s\n", line, completed)
	}
	got, err := command.CombinedOutput()
	if diff := cmp.Diff(want.String(), string(got)); err != nil || diff != "" {
		t.Errorf("%v\n%s", err, diff)
	}
}
