package arch

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/coldframe/coldframe/internal/testbench/golden"
)

// public are the packages that others may import.
var public = []string{
	".", "mock", "mock/mocktest", "mock/client", "contracts", "contracts/contracttest",
	"report", "report/coverage", "report/exchange",
}

// TestPublicAPI compares what go doc prints of the public packages with
// testdata/api. UPDATE_GOLDEN=1 writes that; git diff then shows what users notice.
func TestPublicAPI(t *testing.T) {
	for _, folder := range public {
		command := exec.Command("go", "doc", "-all", "./"+folder)
		command.Dir = filepath.Join("..", "..")
		got, err := command.CombinedOutput()
		if err != nil {
			t.Fatal(err, string(got))
		}
		name := "coldframe"
		if folder != "." {
			name = strings.ReplaceAll(folder, "/", "-")
		}
		file := filepath.Join("testdata", "api", name+".txt")
		if golden.Update() {
			if err := os.WriteFile(file, got, 0o666); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), string(got)); diff != "" {
			t.Errorf("the API of %s changed; UPDATE_GOLDEN=1 go test ./internal/arch writes it again\n%s", folder, diff)
		}
	}
}

func TestPublicPackagesAreListed(t *testing.T) {
	for _, s := range sources(t) {
		isPublic := false
		for _, folder := range public {
			isPublic = isPublic || s.folder == folder
		}
		if !isPublic && !strings.Contains("/"+s.folder+"/", "/internal/") && !below(s.folder, "cmd") &&
			!below(s.folder, "examples") {
			t.Errorf("%s is public; list it or move it below internal", s.folder)
		}
	}
}
