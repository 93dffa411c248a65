//go:build unix

package examples

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"
)

var temp string // a folder for all tests, which is RUNNER_TEMP of the script of action.yml

// built returns a program, which is linked once: the script of action.yml and ci.sh build it with the same flags, at the
// same place.
func built(t *testing.T, folder string) string {
	program := filepath.Join(temp, "coldframe", filepath.Base(folder))
	if said, err := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", program, folder).CombinedOutput(); err != nil {
		t.Fatalf("%s", said)
	}
	return program
}

func TestMain(m *testing.M) {
	var err error
	if temp, err = os.MkdirTemp("", "coldframe-examples-"); err != nil {
		panic(err)
	}
	code := m.Run()
	os.RemoveAll(temp)
	os.Exit(code)
}

// TestCI runs examples/ci/ci.sh, as CI would.
func TestCI(t *testing.T) {
	reports := t.TempDir()
	ci := exec.CommandContext(t.Context(), "bash", "ci/ci.sh")
	ci.Env = append(os.Environ(), "REPORTS="+reports, "PROGRAMS="+filepath.Join(temp, "coldframe"), "GITHUB_ACTIONS=true")
	said, err := ci.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	for file, want := range map[string]string{
		"frontend.lcov": "SF:openapi.yaml", "frontend.txt": "POST /plants", "contract.xml": "<testsuite",
		"contract.sarif": `"2.1.0"`, "contract.html": "</html>",
	} {
		text, err := os.ReadFile(filepath.Join(reports, file))
		if err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%s: %v\n%s", file, err, text)
		}
	}
	for _, want := range []string{"the shop works", "1 known", "\n::"} {
		if !strings.Contains(string(said), want) {
			t.Errorf("it does not say %q:\n%s", want, said)
		}
	}
	if out, err := exec.Command("bash", "ci/ci.sh", "all").CombinedOutput(); err == nil || !strings.Contains(string(out), "usage") {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestWorkflows parses the shell of the workflows, and checks that coldframe
// accepts the arguments in them.
func TestWorkflows(t *testing.T) {
	var github struct {
		Jobs map[string]struct {
			Steps []struct{ Run string }
		}
	}
	load(t, "ci/github.yaml", &github)
	scripts := map[string]string{}
	for name, job := range github.Jobs {
		for _, step := range job.Steps {
			scripts["github "+name] += step.Run + "\n"
		}
	}
	var gitlab map[string]any
	load(t, "ci/gitlab.yaml", &gitlab)
	for name, job := range gitlab {
		if job, ok := job.(map[string]any); ok && job["script"] != nil {
			for _, line := range job["script"].([]any) {
				scripts["gitlab "+name] += line.(string) + "\n"
			}
		}
	}
	if len(scripts) != 5 {
		t.Errorf("there are %d scripts", len(scripts))
	}
	program := built(t, "../cmd/coldframe")
	for name, script := range scripts {
		shell := exec.Command("bash", "-n")
		shell.Stdin = strings.NewReader(script)
		if said, err := shell.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", name, err, said)
		}
		for _, command := range []string{"mock", "test"} {
			help, err := exec.Command(program, command, "--help").Output()
			if err != nil {
				t.Fatal(err)
			}
			_, line, ok := strings.Cut(strings.ReplaceAll(script, "\\\n", ""), "coldframe"+quoted(script)+" "+command+" ")
			if !ok {
				continue
			}
			line, _, _ = strings.Cut(line, "\n")
			for word := range strings.FieldsSeq(line) {
				if strings.HasPrefix(word, "--") && !regexp.MustCompile(regexp.QuoteMeta(word)+`[ \[]`).Match(help) {
					t.Errorf("%s: coldframe %s has no flag %s", name, command, word)
				}
			}
		}
	}
}

// quoted is what stands after the program's name in a script.
func quoted(script string) string {
	if strings.Contains(script, `/coldframe"`) {
		return `"`
	}
	return ""
}

func load(t *testing.T, file string, to any) {
	text, err := os.ReadFile(file)
	if err == nil {
		err = yaml.Unmarshal(text, to)
	}
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
}
