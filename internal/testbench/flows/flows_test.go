package flows

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/coldframe/coldframe/internal/testbench/golden"
	"github.com/coldframe/coldframe/mock"
)

// share is how many expectations hold, and how many flows as a whole.
type share struct{ held, expectations, whole, flows int }

func (s *share) add(results []Result) {
	held := 0
	for _, r := range results {
		if r.Held {
			held++
		}
	}
	s.held += held
	s.expectations += len(results)
	s.flows++
	if held == len(results) {
		s.whole++
	}
}

const shareFormat = "%d of %d expectations, %d of %d flows"

func (s share) String() string {
	return fmt.Sprintf(shareFormat, s.held, s.expectations, s.whole, s.flows)
}

// measure runs all flows of a folder. It returns the share of each kind, and what did not hold, a line each.
func measure(t *testing.T, folder string) (all share, kinds map[string]*share, failed []string) {
	t.Helper()
	files, err := Load(folder)
	if err != nil || len(files) == 0 {
		t.Fatal("no flows in ", folder, err)
	}
	kinds = map[string]*share{}
	for _, file := range files {
		s, err := mock.New(t.Context(), mock.Options{
			Document: file.Document, Log: mock.LogOptions{Format: "off"}, Now: "session",
		})
		if err != nil {
			t.Fatal(err)
		}
		for i := range file.Flows {
			flow := &file.Flows[i]
			results, err := file.Run(t.Context(), s.Transport(), flow)
			if err != nil {
				t.Fatalf("%s: %v", file.Document, err)
			}
			all.add(results)
			if kinds[flow.Kind] == nil {
				kinds[flow.Kind] = &share{}
			}
			kinds[flow.Kind].add(results)
			for _, r := range results {
				if !r.Held {
					failed = append(failed, fmt.Sprintf("%s: %s: %s: %s: got %.200q",
						filepath.Base(file.Document), r.Flow, r.Request, r.Expected, r.Got))
				}
			}
		}
		s.Close()
	}
	for _, kind := range slices.SortedFunc(maps.Keys(kinds), cmp.Compare[string]) {
		t.Logf("%-14s %v", kind, kinds[kind])
	}
	t.Logf("%-14s %v", "all", all)
	return all, kinds, failed
}

// TestFlows runs the flows of testdata. What does not hold is listed in testdata/failed.txt, which UPDATE_GOLDEN=1
// rewrites.
func TestFlows(t *testing.T) {
	all, _, failed := measure(t, "testdata")
	if all.expectations == 0 {
		t.Fatal("no expectation was tested")
	}
	const list = "testdata/failed.txt"
	var b strings.Builder
	for _, line := range failed {
		rule, got, _ := strings.Cut(line, ": got ")
		b.WriteString(rule + "\n")
		t.Logf("%s: got %s", rule, got)
	}
	want, err := os.ReadFile(list)
	switch {
	case golden.Update():
		err = os.WriteFile(list, []byte(b.String()), 0o644)
	case err == nil && b.String() != string(want):
		t.Errorf("what does not hold differs from %s:\n%s", list, b.String())
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestMoreFlows runs the flows of a folder that COLDFRAME_FLOWS names. As many must hold as testdata/floor.txt says,
// which is raised by UPDATE_GOLDEN=1.
func TestMoreFlows(t *testing.T) {
	folder := os.Getenv("COLDFRAME_FLOWS")
	if folder == "" {
		t.Skip("COLDFRAME_FLOWS names no folder of flows")
	}
	all, _, failed := measure(t, folder)
	for _, line := range failed {
		t.Log(line)
	}
	const floorFile = "testdata/floor.txt"
	text, err := os.ReadFile(floorFile)
	if err != nil {
		t.Fatal(err)
	}
	var floor share
	if _, err := fmt.Sscanf(string(text), shareFormat, &floor.held, &floor.expectations, &floor.whole, &floor.flows); err != nil {
		t.Fatal(floorFile, ": ", err)
	}
	switch {
	case all.held < floor.held || all.whole < floor.whole:
		t.Errorf("%v hold, the floor is %v", all, floor)
	case all != floor && golden.Update():
		err = os.WriteFile(floorFile, []byte(all.String()+"\n"), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}
