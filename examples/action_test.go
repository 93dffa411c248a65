//go:build unix

package examples

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// job runs steps of action.yml as a runner of GitHub Actions does.
type job struct {
	t             *testing.T
	temp, program string
}

// step runs one, and returns its exit code, output, step outputs and summary.
func (j *job) step(inputs map[string]string) (code int, said string, outputs map[string]string, summary string) {
	t := j.t
	t.Helper()
	script := exec.CommandContext(t.Context(), "../.github/action.sh")
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	output, page := filepath.Join(j.temp, "output"), filepath.Join(j.temp, "summary")
	os.Remove(output)
	os.Remove(page)
	script.Env = append(os.Environ(), "RUNNER_TEMP="+j.temp, "GITHUB_ACTION_PATH="+root, "GITHUB_OUTPUT="+output,
		"GITHUB_STEP_SUMMARY="+page, "GITHUB_WORKSPACE="+root)
	values := map[string]string{"command": "mock", "document": "", "url": "", "args": "", "binary": j.program}
	for name, value := range inputs {
		values[name] = value
	}
	for name, value := range values {
		script.Env = append(script.Env, "ACTION_"+strings.ToUpper(name)+"="+value)
	}
	text, err := script.CombinedOutput()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		code = exit.ExitCode()
	} else if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	outputs = map[string]string{}
	lines, _ := os.ReadFile(output)
	for line := range strings.Lines(string(lines)) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		outputs[name] = value
	}
	written, _ := os.ReadFile(page)
	return code, string(text), outputs, string(written)
}

// TestAction runs the script of action.yml: a mock that is started and stopped, and tests of a backend.
func TestAction(t *testing.T) {
	j := &job{t: t, temp: temp, program: filepath.Join(temp, "coldframe", "coldframe")}
	os.Remove(j.program) // of another test; the first step builds it
	seen := map[string]bool{}
	step := func(wantCode int, wantSaid string, inputs map[string]string) (map[string]string, string) {
		t.Helper()
		code, said, outputs, summary := j.step(inputs)
		if code != wantCode || !regexp.MustCompile(wantSaid).MatchString(said) {
			t.Fatalf("%v: exit %d, want %d and %q\n%s", inputs, code, wantCode, wantSaid, said)
		}
		for name := range outputs {
			seen[name] = true
		}
		return outputs, summary
	}
	stop := map[string]string{"command": "stop"}

	// The program is built if none is named.
	base := filepath.Join(j.temp, "base.yaml")
	document := "openapi: 3.1.0\ninfo: {title: Words, version: '1'}\nservers: [{url: /v1}]\npaths: {/words: {get: {responses: {'200': {description: ok}}}}}\n"
	if err := os.WriteFile(base, []byte(document), 0o666); err != nil {
		t.Fatal(err)
	}
	outputs, _ := step(0, "(?m)^base URL", map[string]string{"document": base, "binary": "", "args": "\n  --port 0\n--delay   1ms \n"})
	if outputs["base-url"] != outputs["url"]+"/v1" {
		t.Error(outputs)
	}
	answer, err := http.Get(outputs["base-url"] + "/words")
	if err != nil || answer.StatusCode != http.StatusOK {
		t.Error(answer, err)
	}
	step(2, "::error title=coldframe::this job has a mock already", nil)
	outputs, _ = step(0, "", stop)
	if log, err := os.ReadFile(outputs["log"]); err != nil || !strings.Contains(string(log), "GET /v1/words 200") {
		t.Errorf("%s %v", log, err)
	}
	step(2, "there is no mock to stop", stop)

	// A mock of which too little was used; one that does not start.
	step(0, "", map[string]string{"document": "../openapi.yaml", "args": "--port 0\n--min-coverage 60"})
	step(1, "::error title=coldframe::coldframe: coverage is .* %25, below the minimum of 60 %25", stop)
	step(2, "::error title=coldframe::the mock does not start: .*no-such", map[string]string{"document": "no-such.yaml"})

	// A backend with a finding.
	url := serviceURL(t, built(t, "./ci/service"))
	t.Setenv("COLDFRAME_TOKEN", "secret")
	test := map[string]string{"command": "test", "document": "../openapi.yaml", "url": url, "args": "--operation POST /plants"}
	outputs, summary := step(1, `(?m)^::error file=openapi\.yaml,line=\d+,col=\d+,title=`, test)
	if !strings.Contains(summary, "POST /plants") {
		t.Errorf("the summary is\n%s", summary)
	}
	for _, file := range []string{"contract.json", "contract.xml", "contract.sarif", "contract.html"} {
		if about, err := os.Stat(filepath.Join(outputs["reports"], file)); err != nil || about.Size() == 0 {
			t.Error(file, err)
		}
	}
	test["args"] = "--baseline " + filepath.Join(outputs["reports"], "contract.json")
	step(0, "1 known", test)
	step(2, "the input url is missing", map[string]string{"command": "test"})
	step(2, "port of a mock is an argument", map[string]string{"url": url})
	step(2, `the input command is "serve"; it is one of mock, stop, test`, map[string]string{"command": "serve"})

	// What action.yml says and what the script does are the same.
	var action struct {
		Inputs  map[string]any
		Outputs map[string]struct{ Value string }
		Runs    struct {
			Using string
			Steps []struct {
				ID, Run, Shell string
				Env            map[string]string
			}
		}
	}
	load(t, "../action.yml", &action)
	last := action.Runs.Steps[len(action.Runs.Steps)-1]
	if action.Runs.Using != "composite" || last.Shell != "bash" || last.Run != `"$GITHUB_ACTION_PATH/.github/action.sh"` {
		t.Errorf("%+v", action.Runs)
	}
	for name := range action.Inputs {
		if got := last.Env["ACTION_"+strings.ToUpper(name)]; got != "${{ inputs."+name+" }}" {
			t.Errorf("input %s is passed as %q", name, got)
		}
	}
	if len(action.Inputs) != len(last.Env) || len(action.Outputs) != len(seen) {
		t.Errorf("%v %v", action, seen)
	}
	for name, output := range action.Outputs {
		if output.Value != fmt.Sprintf("${{ steps.%s.outputs.%s }}", last.ID, name) || !seen[name] {
			t.Errorf("output %s is %q", name, output.Value)
		}
	}
}

// serviceURL starts the backend of examples/ci and returns its address.
func serviceURL(t *testing.T, program string) string {
	service := exec.CommandContext(t.Context(), program, "-address", "127.0.0.1:0")
	service.Env = append(os.Environ(), "SERVICE_TOKEN=secret")
	service.WaitDelay = -1
	stdout, err := service.StdoutPipe()
	if err == nil {
		err = service.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { service.Wait() }) // its context is done
	line := make([]byte, 100)
	n, err := stdout.Read(line)
	if err != nil {
		t.Fatal(err)
	}
	go io.Copy(io.Discard, stdout)
	return string(bytes.TrimSpace(line[:n]))
}

// TestReleaser holds .goreleaser.yaml to the files that it names, and to the systems of the npm packages. .ci/release
// builds what it says.
func TestReleaser(t *testing.T) {
	var releaser struct {
		Builds []struct {
			Main         string
			Goos, Goarch []string
			Ldflags      []string
		}
		Sboms    []struct{ Args []string }
		Archives []struct{ Files []string }
		Nfpms    []struct{ Contents []struct{ Src string } }
		Dockers  []struct{ Flags []string } `yaml:"dockers_v2"`
		Before   struct{ Hooks []string }
	}
	load(t, "../.goreleaser.yaml", &releaser)
	build := releaser.Builds[0]
	packages, err := os.ReadFile("../npm/build.mjs")
	if err != nil {
		t.Fatal(err)
	}
	dockerfile, err := os.ReadFile("../Dockerfile")
	if err != nil {
		t.Fatal(err)
	}
	var systems []string
	for _, system := range build.Goos {
		for _, processor := range build.Goarch {
			systems = append(systems, system+"/"+processor)
		}
	}
	npm := regexp.MustCompile(`: '(\w+/\w+)'`).FindAllStringSubmatch(string(packages), -1)
	for _, platform := range npm {
		if !slices.Contains(systems, platform[1]) {
			t.Errorf("there are npm packages for %s, and no archive", platform[1])
		}
	}
	if len(npm) != len(systems) {
		t.Errorf("%d npm packages, %v", len(npm), systems)
	}
	flags := strings.Split(build.Ldflags[0], "{{")[0] // -s -w -X main.version=
	if !strings.HasSuffix(flags, "main.version=") || !strings.Contains(string(packages), flags) || !strings.Contains(string(dockerfile), flags) {
		t.Errorf("programs are linked in different ways: %s", flags)
	}
	if target := releaser.Dockers[0].Flags[0]; !strings.Contains(string(dockerfile), "AS "+strings.TrimPrefix(target, "--target=")+"\n") {
		t.Errorf("the Dockerfile has no stage for %s", target)
	}
	files := append(slices.Clone(releaser.Archives[0].Files), releaser.Sboms[0].Args[0][len("../"):], build.Main)
	for _, content := range releaser.Nfpms[0].Contents {
		files = append(files, content.Src)
	}
	hooks := strings.Join(releaser.Before.Hooks, "\n")
	for _, file := range files {
		if strings.HasPrefix(file, "completions/") {
			if file != "completions/*" && !strings.Contains(hooks, ">"+file+`"`) {
				t.Errorf("no hook makes %s", file)
			}
		} else if _, err := os.Stat(filepath.Join("..", file)); err != nil {
			t.Error(err)
		}
	}
}
