package arch

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestPromisesHaveTests reads the table of SECURITY.md: each row names a package and tests of it, which exist.
func TestPromisesHaveTests(t *testing.T) {
	page, err := os.ReadFile("../../SECURITY.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(page), "|---|---|\n")
	rows := strings.Split(strings.TrimSpace(table), "\n")
	if len(rows) < 10 {
		t.Fatalf("%d promises", len(rows))
	}
	for _, row := range rows {
		folder, tests := "", 0
		for _, name := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(strings.Split(row, " | ")[1], -1) {
			test, data, hasData := strings.Cut(name[1], "/")
			if !strings.HasPrefix(test, "Test") {
				folder = filepath.Join("../..", name[1])
				continue
			}
			tests++
			if !isTest(t, folder, test) {
				t.Errorf("%s has no %s", folder, test)
			}
			found, _ := filepath.Glob(filepath.Join(folder, "testdata", "*", data+".txtar"))
			if _, err := os.Stat(filepath.Join(folder, "testdata", data+".txtar")); hasData && err != nil && found == nil {
				t.Errorf("%s has no case %s", folder, data)
			}
		}
		if tests == 0 {
			t.Errorf("no test: %s", row)
		}
	}
}

func isTest(t *testing.T, folder, name string) bool {
	files, err := filepath.Glob(filepath.Join(folder, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if text, err := os.ReadFile(file); err == nil && strings.Contains(string(text), "func "+name+"(") {
			return true
		}
	}
	return false
}
