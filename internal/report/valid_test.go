package report_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/coldframe/coldframe/contracts"
	formats "github.com/coldframe/coldframe/internal/report"
)

func compiled(t *testing.T, text []byte) *jsonschema.Schema {
	t.Helper()
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	if err := compiler.AddResource("test:schema", document); err != nil {
		t.Fatal(err)
	}
	schema, err := compiler.Compile("test:schema")
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// validate validates a format of all samples against a schema.
func validate(t *testing.T, format string, schema *jsonschema.Schema) {
	t.Helper()
	for _, name := range slices.Sorted(maps.Keys(samples)) {
		for _, options := range []formats.Options{{}, {Version: "1.2.3"}} {
			got, err := jsonschema.UnmarshalJSON(bytes.NewReader(written(t, format, name, options)))
			if err != nil {
				t.Fatal(err)
			}
			if err := schema.Validate(got); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

func TestJSONIsValid(t *testing.T) {
	text, err := os.ReadFile("report.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	validate(t, "json", compiled(t, text))
}

// TestJSONIsABaseline reads a report as the baseline of the next run.
func TestJSONIsABaseline(t *testing.T) {
	file := t.TempDir() + "/report.json"
	if err := os.WriteFile(file, written(t, "json", "hostile", formats.Options{}), 0o666); err != nil {
		t.Fatal(err)
	}
	b, err := contracts.LoadBaseline(file)
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range hostile().Findings {
		if got := b.Findings[i]; !slices.Equal(got.Faults, f.Faults) || got.Check != f.Check || got.Operation != f.Operation || got.Message != f.Message {
			t.Errorf("got %+v of %+v", got, f)
		}
	}
}

// TestJSONBodies says how bodies are shown.
func TestJSONBodies(t *testing.T) {
	var got struct {
		Findings []struct {
			Sent []struct {
				Request, Response struct {
					Body       *string
					BodyBase64 string
					Size       int
				}
			}
		}
	}
	if err := json.Unmarshal(written(t, "json", "hostile", formats.Options{}), &got); err != nil {
		t.Fatal(err)
	}
	if body := got.Findings[0].Sent[0].Request.Body; body == nil || *body != `{"name":""}` {
		t.Errorf("a text is %v", body)
	}
	if binary := got.Findings[2].Sent[0].Response; binary.Body != nil || binary.BodyBase64 != "iVBORw0KGgoAAAANSUhEUv8=" {
		t.Errorf("what is no text is %+v", binary)
	}
	cut := got.Findings[4].Sent[0].Response
	if cut.Body == nil || cut.Size != 1_234_567 || len(*cut.Body) != 16<<10-1 || strings.ContainsRune(*cut.Body, '\uFFFD') {
		t.Errorf("the beginning of a text has %d bytes as text, and says %d", len(*cut.Body), cut.Size)
	}
}

func TestSARIFIsValid(t *testing.T) {
	text, err := os.ReadFile("testdata/sarif.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	validate(t, "sarif", compiled(t, text))
}

// TestSARIFSchema validates reports against the whole schema of SARIF, if the
// environment names a file that has it: JSON, or a Go source with one raw string.
func TestSARIFSchema(t *testing.T) {
	file := os.Getenv("COLDFRAME_SARIF_SCHEMA")
	if file == "" {
		t.Skip("COLDFRAME_SARIF_SCHEMA names no schema")
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if strings.HasSuffix(file, ".go") {
		first, last := bytes.IndexByte(text, '`'), bytes.LastIndexByte(text, '`')
		text = text[first+1 : last]
	}
	if !bytes.Contains(text, []byte("partialFingerprints")) {
		t.Fatalf("%s is not the schema of SARIF", file)
	}
	validate(t, "sarif", compiled(t, text))
}

// TestSARIFRules checks that results name their rules.
func TestSARIFRules(t *testing.T) {
	var log struct {
		Runs []struct {
			Tool struct {
				Driver struct{ Rules []struct{ ID string } }
			}
			Results []struct {
				RuleID    string
				RuleIndex int
			}
		}
	}
	if err := json.Unmarshal(written(t, "sarif", "hostile", formats.Options{}), &log); err != nil {
		t.Fatal(err)
	}
	rules := log.Runs[0].Tool.Driver.Rules
	seen := map[string]bool{}
	for _, rule := range rules {
		if seen[rule.ID] {
			t.Errorf("there are two rules %s", rule.ID)
		}
		seen[rule.ID] = true
	}
	for _, result := range log.Runs[0].Results {
		if rules[result.RuleIndex].ID != result.RuleID {
			t.Errorf("%s is rule %d, which is %s", result.RuleID, result.RuleIndex, rules[result.RuleIndex].ID)
		}
	}
}

// TestGitHub reads annotations as the runner does.
func TestGitHub(t *testing.T) {
	unescape := strings.NewReplacer("%25", "%", "%0D", "\r", "%0A", "\n", "%3A", ":", "%2C", ",")
	lines := strings.Split(strings.TrimSuffix(string(written(t, "github", "hostile", formats.Options{})), "\n"), "\n")
	if len(lines) != 7 { // one finding is known; the last are what could not be tested, and the sum
		t.Fatalf("%d lines", len(lines))
	}
	for i, line := range lines {
		command, rest, ok := strings.Cut(strings.TrimPrefix(line, "::"), " ")
		properties, data, cut := strings.Cut(rest, "::")
		if !ok || !cut || !slices.Contains([]string{"error", "warning", "notice"}, command) {
			t.Errorf("no command: %s", line)
		}
		values := map[string]string{}
		for part := range strings.SplitSeq(properties, ",") {
			name, value, _ := strings.Cut(part, "=")
			values[name] = unescape.Replace(value)
		}
		if i == 1 && (values["file"] != "api/openapi.yaml" || values["line"] != "43" || values["col"] != "17" || values["title"] != "body: POST /plants" ||
			!strings.Contains(unescape.Replace(data), "| ::error::x, 100 %\\nsecond line\ncurl ")) {
			t.Errorf("%v %s", values, data)
		}
	}
}
