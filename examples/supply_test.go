package examples

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	usesLine   = regexp.MustCompile(`(?m)^[ -]*uses: (.+)$`)
	commitPin  = regexp.MustCompile(`^[\w.-]+/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$`)
	imageLine  = regexp.MustCompile(`(?m)^(?:FROM |COPY --from=| *(?:- )?image: )(?:--platform=\S+ )?([^\s{}]+)`)
	imageTag   = regexp.MustCompile(`^[\w./-]+:[\w.-]+(@sha256:[0-9a-f]{64})?$`)
	stageNamed = regexp.MustCompile(`(?m)^FROM .* AS (\w+)$`)
)

// workflowFiles are the files whose steps GitHub runs, or that users copy into a workflow.
func workflowFiles(t *testing.T) []string {
	files, err := filepath.Glob("../.github/workflows/*")
	if err != nil || len(files) < 2 {
		t.Fatal(files, err)
	}
	return append(files, "../action.yml", "ci/github.yaml")
}

// renovate is what the tests read of the configuration of Renovate.
type renovate struct {
	Extends []string
	Actions struct{ ManagerFilePatterns []string } `json:"github-actions"`
	GitLab  struct{ ManagerFilePatterns []string } `json:"gitlabci"`
}

func readRenovate(t *testing.T) renovate {
	text, err := os.ReadFile("../.github/renovate.json")
	if err != nil {
		t.Fatal(err)
	}
	var config renovate
	if err := json.Unmarshal(text, &config); err != nil {
		t.Fatal(err)
	}
	return config
}

// matchesOne reports whether one of Renovate's patterns, which are expressions between slashes, matches a file.
func matchesOne(patterns []string, file string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool {
		return regexp.MustCompile(strings.Trim(p, "/")).MatchString(file)
	})
}

// TestActionsArePinned reads every step that uses an action: it names a commit, with its version beside it for people
// and for Renovate, which moves both.
func TestActionsArePinned(t *testing.T) {
	pinned := 0
	commits := map[string]string{}
	for _, file := range workflowFiles(t) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, uses := range usesLine.FindAllStringSubmatch(string(text), -1) {
			pinned++
			if !commitPin.MatchString(uses[1]) {
				t.Errorf("%s: %s names no commit and version", file, uses[1])
			}
			name, commit, _ := strings.Cut(uses[1], "@")
			if known, ok := commits[name]; ok && known != commit {
				t.Errorf("%s: %s is also used at %s", file, uses[1], known)
			}
			commits[name] = commit
		}
	}
	if pinned < 10 {
		t.Errorf("only %d actions were found", pinned)
	}
	config := readRenovate(t)
	if !slices.Contains(config.Extends, "helpers:pinGitHubActionDigestsToSemver") ||
		!matchesOne(config.Actions.ManagerFilePatterns, "examples/ci/github.yaml") {
		t.Errorf("Renovate does not keep the actions pinned: %+v", config)
	}
}

// TestImagesHaveTags reads every image that is built from or run: it has a tag that stays, or a digest, which Renovate
// adds.
func TestImagesHaveTags(t *testing.T) {
	images := 0
	for _, file := range []string{"../Dockerfile", "compose/compose.yaml", "kubernetes/coldframe.yaml", "ci/gitlab.yaml"} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		stages := []string{"scratch"}
		for _, stage := range stageNamed.FindAllStringSubmatch(string(text), -1) {
			stages = append(stages, stage[1])
		}
		for _, image := range imageLine.FindAllStringSubmatch(string(text), -1) {
			if slices.Contains(stages, image[1]) {
				continue
			}
			images++
			if !imageTag.MatchString(image[1]) || strings.Contains(image[1], ":latest") {
				t.Errorf("%s: %s has no tag that stays", file, image[1])
			}
		}
	}
	if images < 6 {
		t.Errorf("only %d images were found", images)
	}
	config := readRenovate(t)
	if !slices.Contains(config.Extends, "docker:pinDigests") ||
		!matchesOne(config.GitLab.ManagerFilePatterns, "examples/ci/gitlab.yaml") {
		t.Errorf("Renovate does not pin digests: %+v", config)
	}
}

// TestPermissionsAreMinimal reads the workflows of this repository: they may read it, and a job may do more only where
// it is listed here with the reason.
func TestPermissionsAreMinimal(t *testing.T) {
	allowed := map[string]map[string]string{
		"release": {
			"contents":     "write", // makes the draft of the release
			"id-token":     "write", // signs with the identity of the workflow
			"attestations": "write", // stores the provenance
		},
	}
	files, err := filepath.Glob("../.github/workflows/*")
	if err != nil || len(files) < 2 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		var workflow struct {
			On          any
			Permissions map[string]string
			Jobs        map[string]struct {
				Permissions map[string]string
				Timeout     int `yaml:"timeout-minutes"`
				Steps       []struct {
					Uses, Run string
					With      map[string]any
				}
			}
		}
		load(t, file, &workflow)
		if len(workflow.Permissions) != 1 || workflow.Permissions["contents"] != "read" {
			t.Errorf("%s: the workflow's permissions are %v, want contents: read", file, workflow.Permissions)
		}
		if triggers, ok := workflow.On.(map[string]any); !ok || triggers["pull_request_target"] != nil {
			t.Errorf("%s: triggers %v", file, workflow.On)
		}
		for name, job := range workflow.Jobs {
			for scope, level := range job.Permissions {
				if allowed[name][scope] != level {
					t.Errorf("%s: job %s has %s: %s", file, name, scope, level)
				}
			}
			if job.Timeout == 0 {
				t.Errorf("%s: job %s may run for hours", file, name)
			}
			for _, step := range job.Steps {
				if strings.HasPrefix(step.Uses, "actions/checkout@") && step.With["persist-credentials"] != false {
					t.Errorf("%s: job %s leaves its token in the checkout", file, name)
				}
				if strings.Contains(step.Run, "${{ github.event") || strings.Contains(step.Run, "${{ github.head_ref") {
					t.Errorf("%s: job %s puts text of an event into a script: %s", file, name, step.Run)
				}
			}
		}
	}
}

// TestReleaseIsSigned compares what .goreleaser.yaml signs, what the workflow attests and what SECURITY.md asks users
// to verify.
func TestReleaseIsSigned(t *testing.T) {
	type sign struct {
		Cmd, Artifacts, Signature string
		Args                      []string
	}
	var releaser struct {
		Checksum struct {
			Name string `yaml:"name_template"`
		}
		Signs       []sign
		DockerSigns []sign           `yaml:"docker_signs"`
		Casks       []map[string]any `yaml:"homebrew_casks"`
	}
	load(t, "../.goreleaser.yaml", &releaser)
	if len(releaser.Signs) != 1 || len(releaser.DockerSigns) != 1 {
		t.Fatalf("%+v", releaser)
	}
	sums := releaser.Signs[0]
	if sums.Artifacts != "checksum" || !slices.Contains(sums.Args, "--bundle=${signature}") {
		t.Errorf("the sums are not signed: %+v", sums)
	}
	for _, s := range append(releaser.Signs, releaser.DockerSigns...) {
		if s.Cmd != "cosign" || strings.Contains(strings.Join(s.Args, " "), "--key") {
			t.Errorf("not keyless: %+v", s)
		}
	}
	for _, cask := range releaser.Casks {
		if cask["hooks"] != nil {
			t.Errorf("the cask runs commands: %v", cask["hooks"])
		}
	}

	workflow, err := os.ReadFile("../.github/workflows/release.yaml")
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile("../SECURITY.md")
	if err != nil {
		t.Fatal(err)
	}
	name := releaser.Checksum.Name
	signature := strings.ReplaceAll(sums.Signature, "${artifact}", name)
	for text, wanted := range map[string][]string{
		string(workflow): {"subject-checksums: dist/" + name, "actions/attest@", "sigstore/cosign-installer@"},
		string(page): {"--bundle " + signature, "sha256sum --ignore-missing -c " + name, "gh attestation verify",
			"/.github/workflows/release.yaml@refs/tags/", "https://token.actions.githubusercontent.com"},
	} {
		for _, part := range wanted {
			if !strings.Contains(text, part) {
				t.Errorf("%q is missing", part)
			}
		}
	}
}

// TestPodIsConfined reads the Deployment of the Kubernetes example: it meets the "restricted" Pod Security Standard
// (https://kubernetes.io/docs/concepts/security/pod-security-standards/#restricted), has no token and is bounded.
func TestPodIsConfined(t *testing.T) {
	var deployment struct {
		Spec struct {
			Template struct {
				Spec struct {
					Automount *bool `yaml:"automountServiceAccountToken"`
					Security  struct {
						NonRoot bool                  `yaml:"runAsNonRoot"`
						Seccomp struct{ Type string } `yaml:"seccompProfile"`
					} `yaml:"securityContext"`
					Containers []struct {
						Resources struct{ Limits, Requests map[string]any }
						Security  struct {
							ReadOnly     bool  `yaml:"readOnlyRootFilesystem"`
							Escalation   *bool `yaml:"allowPrivilegeEscalation"`
							Capabilities struct{ Drop, Add []string }
						} `yaml:"securityContext"`
					}
				}
			}
		}
	}
	load(t, "kubernetes/coldframe.yaml", &deployment)
	pod := deployment.Spec.Template.Spec
	if pod.Automount == nil || *pod.Automount || !pod.Security.NonRoot || pod.Security.Seccomp.Type != "RuntimeDefault" {
		t.Errorf("%+v", pod)
	}
	for _, c := range pod.Containers {
		if s := c.Security; !s.ReadOnly || s.Escalation == nil || *s.Escalation ||
			!slices.Equal(s.Capabilities.Drop, []string{"ALL"}) || s.Capabilities.Add != nil {
			t.Errorf("%+v", c)
		}
		if c.Resources.Limits["cpu"] == nil || c.Resources.Requests["cpu"] == nil {
			t.Errorf("%+v has no bounds", c.Resources)
		}
	}
	if len(pod.Containers) == 0 {
		t.Error("no container")
	}
}
