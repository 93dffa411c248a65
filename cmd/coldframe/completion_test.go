//go:build unix

package main

import (
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
source "$1"; source "$2"
[[ $(complete -p coldframe) == *'-o default'*'-F __start_coldframe'* ]] || echo 'no files are completed'
COMP_LINE=$3 COMP_POINT=${#3} COMP_TYPE=9 COMP_WORDS=($3) COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
__start_coldframe 2>/dev/null # compopt works in a completion only
printf '%s\n' "${COMPREPLY[@]}"`
	for line, want := range map[string]string{
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
		got, err := exec.Command("bash", "--norc", "-c", complete, "bash", library, script, line).CombinedOutput()
		if diff := cmp.Diff(want, strings.TrimSpace(string(got))); err != nil || diff != "" {
			t.Errorf("%s: %v\n%s", line, err, diff)
		}
	}
}
