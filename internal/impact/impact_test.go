package impact

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/testbench/golden"
	"github.com/coldframe/coldframe/mock"
)

// options returns the options for a document and a suite.
func options(t *testing.T, document []byte, o mock.Options, s suite) Options {
	t.Helper()
	contract, err := spec.Load(t.Context(), "openapi.yaml", spec.Options{Text: document})
	if err != nil {
		t.Fatal(err)
	}
	plan, _ := resource.Infer(contract, resource.Overrides{})
	o.Document, o.Listen.NoListener = "openapi.yaml", true
	return Options{
		Contract: contract, Plan: plan, Jobs: 2, Command: s.run,
		Mock: func(ctx context.Context, text []byte) (http.Handler, func(), error) {
			served := o
			if served.Text = text; text == nil {
				served.Text = document
			}
			server, err := mock.New(ctx, served)
			if err != nil {
				return nil, nil, err
			}
			return server.Handler(), func() { server.Close() }, nil
		},
	}
}

// verdicts returns what a report says, a line for each change.
func verdicts(r *Report) string {
	var b strings.Builder
	for _, c := range r.Changes {
		fmt.Fprintf(&b, "%s: %s\n", c.Verdict, c.ID)
	}
	for _, s := range r.Skipped {
		fmt.Fprintf(&b, "skipped: %s: %s\n", s.Title, s.Reason)
	}
	return b.String()
}

// TestVariations runs testdata/variations/*.txtar: a document (openapi.yaml), initial items (data.yaml), a suite (see type
// suite), and the verdicts. UPDATE_GOLDEN=1 writes these.
func TestVariations(t *testing.T) {
	golden.Cases(t, "testdata/variations/*.txtar", func(t *testing.T, archive *txtar.Archive) {
		files := map[string]*txtar.File{}
		for i := range archive.Files {
			files[archive.Files[i].Name] = &archive.Files[i]
		}
		o := mock.Options{Auth: mock.AuthOptions{Mode: "off"}}
		if data := files["data.yaml"]; data != nil {
			o.State.UnknownItems = "refuse"
			o.State.DataTexts = []mock.Text{{Name: data.Name, Text: data.Data}}
		}
		report, err := Run(t.Context(), options(t, files["openapi.yaml"].Data, o, suite(files["suite"].Data)))
		if plain, ok := errors.AsType[*PlainError](err); ok {
			t.Fatal(plain, plain.Output)
		} else if err != nil {
			t.Fatal(err)
		}
		got := verdicts(report)
		if golden.Update() {
			files["verdicts"].Data = []byte(got)
		} else if diff := cmp.Diff(string(files["verdicts"].Data), got); diff != "" {
			t.Error(diff)
		}
	})
}

const oneOptional = `
openapi: 3.1.0
info: {title: One, version: '1'}
paths:
  /one:
    get:
      responses:
        '200':
          description: It.
          content:
            application/json:
              schema: {type: object, properties: {a: {type: string}}}
`

// TestFlakySuite says that a suite that fails sometimes is named, and no change is blamed.
func TestFlakySuite(t *testing.T) {
	o := options(t, []byte(oneOptional), mock.Options{}, "GET /one\n")
	var runs atomic.Int32
	run := o.Command
	o.Command = func(ctx context.Context, variables []string, output *Output) error {
		if err := run(ctx, variables, output); err != nil {
			return err
		}
		if n := runs.Add(1); n > 1 {
			return fmt.Errorf("run %d fails", n)
		}
		return nil
	}
	o.Chosen = func(c *Change) bool { return c.Kind == absentKind }
	report, err := Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := verdicts(report), "flaky: absent GET /one a\n"; got != want {
		t.Errorf("got %s", got)
	}
	if report.Flaky != 1 || !strings.Contains(report.Text(), "the suite is flaky") {
		t.Error(report.Text())
	}
}

// TestPlainRunMustPass says that nothing is run if the suite fails without a change, or does not use the mock.
func TestPlainRunMustPass(t *testing.T) {
	for text, want := range map[suite]string{
		"GET /one\n  string /b\n": "the command fails against the plain mock: /b: want string, got <nil>",
		"":                        "the command sent no request of the document to COLDFRAME_URL",
	} {
		_, err := Run(t.Context(), options(t, []byte(oneOptional), mock.Options{}, text))
		if plain, ok := errors.AsType[*PlainError](err); !ok || plain.Reason != want {
			t.Errorf("%v", err)
		}
	}
}

// TestOutputIsBounded says that the end of a long output is kept.
func TestOutputIsBounded(t *testing.T) {
	var o Output
	for range 1000 {
		fmt.Fprint(&o, strings.Repeat("x", 1000))
	}
	fmt.Fprint(&o, "the end")
	if text := o.String(); len(text) > maxOutput+10 || !strings.HasPrefix(text, "…") || !strings.HasSuffix(text, "the end") {
		t.Error(len(text))
	}
}
