package report_test

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"maps"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	formats "github.com/coldframe/coldframe/internal/report"
)

// element is one row of testdata/junit.txt.
type element struct {
	attributes map[string]string // the form of each one's value
	required   []string
	children   []string // as the row has them
	text       bool
}

var attributeForms = map[string]*regexp.Regexp{
	"text": regexp.MustCompile(`(?s)^.*$`), "count": regexp.MustCompile(`^\d+$`),
	"seconds": regexp.MustCompile(`^\d+(\.\d+)?$`), "instant": regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$`),
}

func elements(t *testing.T) map[string]element {
	text, err := os.ReadFile("testdata/junit.txt")
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]element{}
	for row := range strings.Lines(string(text)) {
		if strings.HasPrefix(row, "#") {
			continue
		}
		head, children, _ := strings.Cut(row, ";")
		words := strings.Fields(head)
		name, form, _ := strings.Cut(words[0], "=")
		e := element{map[string]string{}, nil, strings.Fields(children), form == "text"}
		for _, word := range words[1:] {
			attribute, form, _ := strings.Cut(word, "=")
			if required, ok := strings.CutSuffix(form, "!"); ok {
				form = required
				e.required = append(e.required, attribute)
			}
			e.attributes[attribute] = form
		}
		all[name] = e
	}
	return all
}

// node is one element of a report.
type node struct {
	name       string
	attributes map[string]string
	text       string
	children   []*node
}

// parsed reads XML, strictly.
func parsed(t *testing.T, text []byte) *node {
	t.Helper()
	decoder := xml.NewDecoder(bytes.NewReader(text))
	root := &node{}
	stack := []*node{root}
	for {
		token, err := decoder.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		top := stack[len(stack)-1]
		switch token := token.(type) {
		case xml.StartElement:
			n := &node{name: token.Name.Local, attributes: map[string]string{}}
			for _, a := range token.Attr {
				n.attributes[a.Name.Local] = a.Value
			}
			top.children = append(top.children, n)
			stack = append(stack, n)
		case xml.EndElement:
			stack = stack[:len(stack)-1]
		case xml.CharData:
			top.text += string(token)
		}
	}
	return root.children[0]
}

// faults checks a node and all in it against the table.
func (n *node) faults(table map[string]element) []string {
	e, known := table[n.name]
	if !known {
		return []string{n.name + " is no element"}
	}
	var all []string
	for name, value := range n.attributes {
		if form := attributeForms[e.attributes[name]]; form == nil || !form.MatchString(value) {
			all = append(all, fmt.Sprintf("%s has %s=%q", n.name, name, value))
		}
	}
	for _, name := range e.required {
		if _, ok := n.attributes[name]; !ok {
			all = append(all, n.name+" has no "+name)
		}
	}
	if !e.text && strings.TrimSpace(n.text) != "" {
		all = append(all, n.name+" has text")
	}
	rest := n.children
	for _, child := range e.children {
		names := strings.Split(strings.TrimRight(child, "?*"), "|")
		for taken := 0; len(rest) > 0 && slices.Contains(names, rest[0].name) && (taken == 0 || strings.HasSuffix(child, "*")); taken++ {
			rest = rest[1:]
		}
	}
	if len(rest) > 0 {
		all = append(all, fmt.Sprintf("%s has %s out of place", n.name, rest[0].name))
	}
	for _, child := range n.children {
		all = append(all, child.faults(table)...)
	}
	return all
}

// all returns the nodes of a name.
func (n *node) all(name string) []*node {
	var found []*node
	if n.name == name {
		found = append(found, n)
	}
	for _, child := range n.children {
		found = append(found, child.all(name)...)
	}
	return found
}

func TestJUnitIsValid(t *testing.T) {
	table := elements(t)
	for _, sample := range slices.Sorted(maps.Keys(samples)) {
		root := parsed(t, written(t, "junit", sample, formats.Options{}))
		for _, fault := range root.faults(table) {
			t.Errorf("%s: %s", sample, fault)
		}
		for _, n := range append(root.all("testsuite"), root) {
			for attribute, element := range map[string]string{"tests": "testcase", "failures": "failure", "errors": "error", "skipped": "skipped"} {
				if n == root && attribute == "skipped" {
					continue // the schema of the outermost has none
				}
				if found := len(n.all(element)); n.attributes[attribute] != strconv.Itoa(found) {
					t.Errorf("%s: %s %s: %s=%s, of which there are %d", sample, n.name, n.attributes["name"], attribute, n.attributes[attribute], found)
				}
			}
		}
		names := map[string]bool{}
		for _, n := range root.all("testcase") {
			name := n.attributes["classname"] + " " + n.attributes["name"]
			if names[name] {
				t.Errorf("%s: there are two cases %s", sample, name)
			}
			names[name] = true
		}
	}
}

// TestJUnitCases checks that there is a case for each check that was in use, and what is shown of each.
func TestJUnitCases(t *testing.T) {
	outcomes := map[string]string{}
	for _, n := range parsed(t, written(t, "junit", "hostile", formats.Options{})).all("testcase") {
		var parts []string
		for _, child := range n.children {
			parts = append(parts, child.name)
		}
		outcomes[n.attributes["classname"]+": "+n.attributes["name"]] = strings.Join(parts, ", ")
	}
	want := map[string]string{
		"GET /plants: server-error": "skipped, system-out", "GET /plants: status-documented": "", "GET /plants: paging": "",
		"POST /plants: server-error": "", "POST /plants: status-documented": "", "POST /plants: invalid-accepted": "skipped, system-out", "POST /plants: invalid-accepted body.<tags>.*": "failure", "POST /plants: invalid-accepted body.name": "system-out",
		"POST /plants: body": "failure", "POST /plants: media-type": "failure", "POST /plants: answer": "failure",
		"PUT /plants/{id}: invalid-accepted body.name": "failure", "PUT /plants/{id}: updated": "system-out", "PUT /plants/{id}: in-time": "system-out",
		"DELETE /plants/{id}: all": "skipped",
	}
	if diff := cmp.Diff(want, outcomes); diff != "" {
		t.Error(diff)
	}
}

// TestJUnitFailures checks that the cases of new errors fail, in
// each of their operations and with their command.
func TestJUnitFailures(t *testing.T) {
	root := parsed(t, written(t, "junit", "hostile", formats.Options{}))
	failures := root.all("failure")
	want := 0
	for _, f := range hostile().New() {
		want += max(1, len(f.Operations))
	}
	if len(failures) != want {
		t.Errorf("%d failures, want %d", len(failures), want)
	}
	for _, f := range failures {
		if !strings.Contains(f.text, "curl 'http://localhost:8080/") {
			t.Errorf("no command in %q", f.text)
		}
	}
	if root := parsed(t, written(t, "junit", "ended", formats.Options{})); len(root.all("error")) != 2 {
		t.Error("a run that ended early, and is incomplete, has not two errors")
	}
}
