package impact

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/coldframe/coldframe"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/testbench/golden"
	"github.com/coldframe/coldframe/internal/tree"
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
		Mock: func(ctx context.Context, name string, files spec.Texts) (*Mock, error) {
			served := o
			if served.Document, served.Files = name, files; files == nil {
				served.Text = document
			}
			server, err := mock.New(ctx, served)
			if err != nil {
				return nil, err
			}
			return &Mock{server.Handler(), func() string { return "" }, func() { server.Close() }}, nil
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

// TestGardenShop applies the changes of testdata/between/garden-shop.txtar to the Garden Shop's document, all at once, and
// finds out again what each of them does to the suite.
func TestGardenShop(t *testing.T) {
	golden.Cases(t, "testdata/between/garden-shop.txtar", func(t *testing.T, archive *txtar.Archive) {
		files := map[string]*txtar.File{}
		for i := range archive.Files {
			files[archive.Files[i].Name] = &archive.Files[i]
		}
		const folder = "examples/garden-shop/"
		before, err := coldframe.GardenShop.ReadFile(folder + "openapi.yaml")
		if err != nil {
			t.Fatal(err)
		}
		data, err := coldframe.GardenShop.ReadFile(folder + "data.yaml")
		if err != nil {
			t.Fatal(err)
		}
		root, _, err := tree.Read("openapi.yaml", before)
		if err != nil {
			t.Fatal(err)
		}
		planted := root.Value()
		truth, order := map[string]string{}, []string{}
		for line := range strings.Lines(string(files["changes"].Data)) {
			words := strings.SplitN(strings.TrimSpace(line), " ", 3)
			planted = plant(t, planted, root, words[1:])
			order = append(order, words[1])
			truth[words[1]] = words[0]
		}
		o := mock.Options{}
		o.State.UnknownItems, o.State.DataTexts = "refuse", []mock.Text{{Name: "data.yaml", Text: data}}
		run := options(t, before, o, suite(files["suite"].Data))
		run.Changes, run.Skipped, err = Between(t.Context(),
			Document{"openapi.yaml", spec.Options{Text: before}},
			Document{"new.json", spec.Options{Text: jsontext.Append(nil, planted)}})
		if err != nil {
			t.Fatal(err)
		}
		report, err := Run(t.Context(), run)
		if plain, ok := errors.AsType[*PlainError](err); ok {
			t.Fatal(plain, plain.Output)
		} else if err != nil {
			t.Fatal(err)
		}
		t.Log(report.Text())
		if len(order) != 30 || len(report.Changes)+len(report.Skipped) != len(order) {
			t.Errorf("%d of %d changes", len(report.Changes)+len(report.Skipped), len(order))
		}
		if got := verdicts(report); golden.Update() {
			files["verdicts"].Data = []byte(got)
		} else if diff := cmp.Diff(string(files["verdicts"].Data), got); diff != "" {
			t.Error(diff)
		}
		for _, c := range report.Changes {
			_, pointer, _ := strings.Cut(c.ID, " ")
			at := slices.IndexFunc(order, func(at string) bool {
				return pointer == strings.TrimSuffix(at, "!") || pointer == renamed(root, at)
			})
			if at < 0 {
				at = slices.IndexFunc(order, func(at string) bool {
					list, isNew := strings.CutSuffix(at, "-")
					return isNew && strings.HasPrefix(pointer, list)
				})
			}
			if at < 0 || string(c.Verdict) != truth[order[at]] {
				t.Errorf("%s: %s, which is not the truth: %s", c.ID, c.Verdict, c.Failure)
			}
		}
	})
}

// renamed returns a pointer to an item of a list as ids of changes have it: by what identifies the item.
func renamed(root *tree.Node, pointer string) string {
	tokens := exchange.SplitPointer(pointer)
	if n := root.At(pointer); n != nil {
		tokens[len(tokens)-1] = identity(n)
	}
	return tree.Pointer(tokens)
}

// plant removes a place of a document, or sets it to a JSON value.
func plant(t *testing.T, document any, original *tree.Node, words []string) any {
	t.Helper()
	pointer, isRequired := strings.CutSuffix(words[0], "!")
	tokens := exchange.SplitPointer(pointer)
	last := len(tokens) - 1
	parent, _ := jsonvalue.At(document, tokens[:last])
	if len(words) == 2 {
		value, err := jsontext.Decode(words[1])
		if err != nil {
			t.Fatal(err)
		}
		if list, isList := parent.([]any); isList {
			document, _ = jsonvalue.With(document, tokens[:last], append(list, value))
			return document
		}
		if isRequired {
			at := append(slices.Clone(tokens[:last-1]), "required")
			required, _ := jsonvalue.At(document, at)
			document, _ = jsonvalue.With(document, at, append(required.([]any), tokens[last]))
		}
		document, _ = jsonvalue.With(document, tokens, value)
		return document
	}
	if list, isList := parent.([]any); isList { // earlier changes may have moved the item
		gone := original.At(words[0]).Value()
		document, _ = jsonvalue.With(document, tokens[:last], slices.DeleteFunc(slices.Clone(list), func(item any) bool {
			return jsonvalue.Equals(item, gone)
		}))
		return document
	}
	document, _, err := jsonvalue.Remove(document, tokens)
	if err != nil {
		t.Fatal(err, words)
	}
	owner := tokens[:max(last-1, 0)]
	required, _ := jsonvalue.At(document, append(slices.Clone(owner), "required"))
	if list, _ := required.([]any); last > 0 && tokens[last-1] == "properties" && slices.Contains(list, any(tokens[last])) {
		list = slices.DeleteFunc(slices.Clone(list), func(item any) bool { return item == tokens[last] })
		document, _ = jsonvalue.With(document, append(slices.Clone(owner), "required"), list)
	}
	return document
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

// TestHangingSuite says that an error breaks a suite only if it makes it hang.
func TestHangingSuite(t *testing.T) {
	document := strings.Replace(oneOptional, "      responses:\n", "      responses:\n        '404': {description: None.}\n", 1)
	for hangs, want := range map[bool]Verdict{false: Fails, true: Breaks} {
		o := options(t, []byte(document), mock.Options{}, "GET /one\n")
		run := o.Command
		o.Command = func(ctx context.Context, variables []string, output *Output) error {
			err := run(ctx, variables, output)
			if err != nil && hangs {
				return fmt.Errorf("%w: it never ends", ErrTimeout)
			}
			return err
		}
		o.Chosen = func(c *Change) bool { return c.Kind == errorKind }
		report, err := Run(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		if got := verdicts(report); got != string(want)+": error GET /one 404\n" {
			t.Error(got)
		}
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
