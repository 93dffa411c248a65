package draft

import (
	"cmp"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/loading"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/tree"
	"github.com/coldframe/coldframe/mock/internal/replay"
)

// Tool is a tool whose files Foreign reads.
type Tool struct {
	Name, Files string
	read        func(i *importer, root *tree.Node)
}

// Tools are all of them, by name.
var Tools = []Tool{
	{"mockoon", "a Mockoon environment", mockoon},
	{"postman", "a Postman collection (v2)", postman},
	{"wiremock", "WireMock stub mappings, in a file or a folder", wiremock},
}

// Imported is what another tool's files become.
type Imported struct {
	Scenarios []Scenario // in the order of their names
	Items     []Items
	Left      []string // what is in neither, by place
}

// Scenario is a scenario file.
type Scenario struct {
	Name string
	Text []byte
}

// Items are initial items of the collection at a path.
type Items struct {
	Path  string
	Value any
	Place string
}

const (
	maxForeign      = 64 << 20 // bytes of all files
	maxForeignFiles = 10_000
)

// Foreign reads the file of another tool, or all JSON files of a folder.
func Foreign(c *spec.Contract, tool Tool, path string, budget *loading.Budget) (*Imported, error) {
	i := &importer{contract: c}
	files, err := foreignFiles(path)
	if err != nil {
		return nil, err
	}
	size := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		if size += len(text); size > maxForeign {
			return nil, fmt.Errorf("%s: all files together are larger than %d MiB", path, maxForeign>>20)
		}
		if err := budget.Take(string(text)); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		root, _, err := tree.Read(file, text)
		if err != nil {
			return nil, err
		}
		if root != nil {
			tool.read(i, root)
		}
	}
	return i.finish(filepath.Base(path))
}

func foreignFiles(path string) ([]string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("there is no file %q", path)
	} else if !info.IsDir() {
		return []string{path}, nil
	}
	files, err := filepath.Glob(filepath.Join(path, "*.json"))
	if err != nil || len(files) == 0 || len(files) > maxForeignFiles {
		return nil, fmt.Errorf("the directory %q has %d *.json files, want 1 to %d", path, len(files), maxForeignFiles)
	}
	return files, nil
}

type importer struct {
	contract *spec.Contract
	stubs    []*stub
	items    []Items
	left     []string
}

// stub is a response of another tool to some requests.
type stub struct {
	at       *tree.Node
	method   string // "" for any
	path     string // with {} for what any segment matches; "" if pattern says it
	pattern  string // a regular expression for the path
	rule     Rule   // without On
	scenario string // whose states State and Then are; "" for none
	priority int    // lower ones come first
}

// say adds a remark.
func (i *importer) say(at *tree.Node, format string, args ...any) {
	if len(i.left) < replay.MaxNamed {
		i.left = append(i.left, at.Place().String()+": "+fmt.Sprintf(format, args...))
	}
}

// finish binds the stubs to operations, and writes a scenario for each that has states, and one for all others.
func (i *importer) finish(title string) (*Imported, error) {
	slices.SortStableFunc(i.stubs, func(a, b *stub) int { return cmp.Compare(a.priority, b.priority) })
	drafts, initial := map[string]*File{}, map[string]string{}
	taken := map[string]bool{}
	for _, s := range i.stubs {
		bound := i.operations(s)
		if len(bound) == 0 {
			i.say(s.at, "no operation of the document serves %s %s",
				cmp.Or(s.method, "any method of"), cmp.Or(s.path, s.pattern))
		}
		for _, b := range bound {
			rule := s.rule
			rule.On, rule.When = b.operation, slices.Concat(b.when, s.rule.When)
			same := fmt.Sprint(b.operation.Method, b.operation.Path, rule.When, s.scenario, rule.State)
			if taken[same] {
				i.say(s.at, "an earlier response to the same request comes first")
				continue
			}
			if drafts[s.scenario] == nil {
				drafts[s.scenario] = New(i.contract)
			}
			switch violates, err := drafts[s.scenario].Add(rule); {
			case err != nil:
				i.say(s.at, "%s %s: %v", b.operation.Method, b.operation.Path, err)
			case violates:
				i.say(s.at, "%s %s: the response violates the document, and the rule says so",
					b.operation.Method, b.operation.Path)
				fallthrough
			default:
				taken[same] = true
			}
		}
		if s.scenario != "" && initial[s.scenario] == "" {
			initial[s.scenario] = startState
		}
	}
	result := &Imported{Items: i.items}
	names := make([]string, 0, len(drafts))
	for name := range drafts {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		if len(drafts[name].rules) == 0 {
			continue
		}
		text, err := drafts[name].Text("imported from "+title, initial[name])
		if err != nil {
			i.left = append(i.left, fmt.Sprintf("the scenario %s: %v", cmp.Or(name, "without states"), err))
			continue
		}
		result.Scenarios = append(result.Scenarios, Scenario{cmp.Or(fileName(name), "imported"), text})
	}
	result.Left = i.left
	return result, nil
}

// startState is the state in which the scenarios of WireMock begin.
const startState = "Started"

// fileName returns a name without what separates directories.
func fileName(name string) string {
	return strings.Map(func(c rune) rune {
		if c > ' ' && c < 0x7f && !strings.ContainsRune(`/\:"',;*?<>|.`, c) {
			return c
		}
		return '-'
	}, name)
}

type bound struct {
	operation *spec.Operation
	when      []string
}

// operations returns the operations that a stub answers, with the values that its path has for their variables. Of
// several with one method, the most literal one answers.
func (i *importer) operations(s *stub) (all []bound) {
	for _, o := range i.contract.Operations {
		if s.method != "" && o.Method != s.method {
			continue
		}
		if s.pattern != "" {
			if matchesTemplate(s.pattern, o, i.contract.BasePaths) {
				all = append(all, bound{o, []string{"request.path matches " + quoted("^(?:"+s.pattern+")$")}})
			}
			continue
		}
		for _, base := range i.contract.BasePaths {
			path, ok := strings.CutPrefix(s.path, base)
			if !ok {
				continue
			}
			if when, ok := fits(path, o.Template()); ok {
				all = append(all, bound{o, when})
				break
			}
		}
	}
	return slices.DeleteFunc(slices.Clone(all), func(b bound) bool {
		return s.pattern == "" && slices.ContainsFunc(all, func(other bound) bool {
			return other.operation.Method == b.operation.Method && len(other.when) < len(b.when)
		})
	})
}

// fits compares a path with a template by segments. when requires the values that the path has for the variables.
func fits(path, template string) (when []string, ok bool) {
	a, b := strings.Split(strings.Trim(path, "/"), "/"), strings.Split(strings.Trim(template, "/"), "/")
	if len(a) != len(b) {
		return nil, false
	}
	for i := range a {
		name, isVariable := strings.CutPrefix(b[i], "{")
		name, whole := strings.CutSuffix(name, "}")
		switch {
		case isVariable && whole && a[i] == anySegment:
		case isVariable && whole:
			value, err := url.PathUnescape(a[i])
			if err != nil {
				return nil, false
			}
			when = append(when, "string(request.params["+quoted(name)+"]) == "+quoted(value))
		case a[i] != b[i]:
			return nil, false
		}
	}
	return when, true
}

// anySegment stands in a path for any segment.
const anySegment = "{}"

// matchesTemplate reports whether a pattern matches paths of an operation: its template with plain values.
func matchesTemplate(pattern string, o *spec.Operation, bases []string) bool {
	matcher, err := regexp.Compile("^(?:" + pattern + ")$")
	if err != nil {
		return false
	}
	for _, base := range bases {
		for _, value := range []string{"1", "123", "abc", "Abc-1", "123e4567-e89b-12d3-a456-426614174000"} {
			path := o.Template()
			for _, name := range o.Variables() {
				path = strings.ReplaceAll(path, "{"+name+"}", value)
			}
			if matcher.MatchString(base + path) {
				return true
			}
		}
	}
	return false
}

// valueOf returns the value of a node, nil for none.
func valueOf(n *tree.Node) any {
	if n == nil {
		return nil
	}
	return n.Value()
}

// bodyOf returns the body of a text: its JSON, if it is JSON.
func bodyOf(text string) any {
	if value, err := jsontext.Decode(text); err == nil {
		return value
	}
	return text
}

// equalsText returns a condition that compares a decoded value with a text.
func equalsText(reads, text string) string { return "string(" + reads + ") == " + quoted(text) }

// milliseconds returns a delay of a rule; nil for none.
func milliseconds(n *tree.Node) any {
	if n == nil || n.Kind != tree.Number && n.Kind != tree.String || n.Text == "0" {
		return nil
	}
	return n.Value()
}

// contentType returns the fields of a response, of which framing is left out.
func responseFields(h exchange.Header) (kept exchange.Header) {
	for _, f := range h {
		switch strings.ToLower(f.Name) {
		case "content-length", "transfer-encoding", "connection", "date", "content-encoding":
		default:
			kept = append(kept, f)
		}
	}
	return kept
}
