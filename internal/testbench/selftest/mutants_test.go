package main

import (
	"bufio"
	"bytes"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/coldframe/coldframe/contracts"
	"github.com/coldframe/coldframe/internal/testbench/sample"
	"github.com/coldframe/coldframe/mock"
	"github.com/coldframe/coldframe/report"
	"golang.org/x/tools/txtar"
)

// shape is a document with faults of its mock: each a scenario file whose folder
// names the check that finds it.
type shape struct {
	name     string
	document []byte // nil: the Plant Store
	mutants  []txtar.File
}

func shapes(t *testing.T) []shape {
	t.Helper()
	files, err := filepath.Glob("testdata/mutants/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	var all []shape
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		s := shape{name: strings.TrimSuffix(filepath.Base(file), ".txtar")}
		for _, f := range archive.Files {
			if f.Name == "openapi.yaml" {
				s.document = f.Data
			} else {
				s.mutants = append(s.mutants, f)
			}
		}
		all = append(all, s)
	}
	return all
}

// options returns what the tester is started with.
func (s shape) options() contracts.Options {
	o := contracts.Options{Document: "../../../openapi.yaml", Limits: contracts.Limits{FuzzCases: 20}}
	if s.document != nil {
		o.Document, o.Text = s.name+".yaml", s.document
	}
	return o
}

// TestCorrect holds the tester to find nothing in what has no fault.
func TestCorrect(t *testing.T) {
	for _, s := range shapes(t) {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			for _, unknownItems := range []string{"generate", "refuse"} {
				for seed := range uint64(20 / sample.Every(20, 20)) {
					o := s.options()
					o.Seed = seed
					result, err := against(t.Context(), unknownItems, o)
					if err != nil {
						t.Fatal(err)
					}
					for _, f := range result.Findings {
						t.Errorf("unknown items %s, seed %d: %s", unknownItems, seed, describe(f))
					}
				}
			}
		})
	}
}

// TestMutants holds the tester to find every fault, and by the check that is for
// it.
func TestMutants(t *testing.T) {
	count := 0
	for _, s := range shapes(t) {
		count += len(s.mutants)
		for i, mutant := range s.mutants {
			if i%sample.Every(40, 40) != 0 {
				continue
			}
			t.Run(s.name+"/"+strings.TrimSuffix(mutant.Name, ".yaml"), func(t *testing.T) {
				t.Parallel()
				file := filepath.Join(t.TempDir(), path.Base(mutant.Name))
				if err := os.WriteFile(file, mutant.Data, 0o600); err != nil {
					t.Fatal(err)
				}
				m, o := mock.Options{Scenarios: []string{file}}, s.options()
				set(t, mutant.Data, &m, &o)
				result, err := test(t.Context(), m, o)
				if err != nil {
					t.Fatal(err)
				}
				check := path.Dir(mutant.Name)
				found := result.Findings
				if isIntermittent(mutant.Data) {
					found = slices.Concat(found, result.Flaky)
				}
				if slices.ContainsFunc(found, func(f report.Finding) bool { return f.Check == check }) {
					return
				}
				t.Errorf("%d requests, and no finding of %s", result.Requests, check)
				for _, f := range result.Findings {
					t.Log(describe(f))
				}
			})
		}
	}
	if count < 60 {
		t.Errorf("the catalogue has only %d faults", count)
	}
}

// isIntermittent reports whether a fault comes with some of the requests alike: it may not come again alone, and is
// flaky then.
func isIntermittent(mutant []byte) bool {
	return bytes.Contains(mutant, []byte("every:")) || bytes.Contains(mutant, []byte("times:"))
}

// set reads the lines of a mutant that begin with "#: ": what the mock or the
// tester is started with besides.
func set(t *testing.T, text []byte, m *mock.Options, o *contracts.Options) {
	t.Helper()
	lines := bufio.NewScanner(bytes.NewReader(text))
	for lines.Scan() {
		line, ok := strings.CutPrefix(lines.Text(), "#: ")
		if !ok {
			continue
		}
		key, value, _ := strings.Cut(line, " ")
		var err error
		switch key {
		case "auth":
			m.Auth.Mode = value
		case "credentials": // that only those who know them have
			o.Credentials.Token, o.Credentials.User, o.Credentials.APIKeys = "desk", "clerk:safe", map[string]string{"key": "safe"}
		case "validate":
			m.Validate = value
		case "timeout":
			o.Limits.Timeout, err = time.ParseDuration(value)
		case "max-response-time":
			o.Limits.MaxResponseTime, err = time.ParseDuration(value)
		default:
			t.Fatalf("unknown setting %q", key)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}
