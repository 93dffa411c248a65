package main

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/coldframe/coldframe/internal/testbench/backends"
	"github.com/coldframe/coldframe/internal/testbench/sample"
	"github.com/coldframe/coldframe/internal/tree"
)

// harmless are sentences that excuse nothing, though each has a word of those that do.
var harmless = []string{
	"The logo has a white background.",
	"Nothing is cached.",
	"There is no delay.",
	"The service was set up in 2019 and has been updated since.",
	"Deleted scenes are on the second disc.",
	"The price is set by the vendor.",
	"The normal way to the entrance is by the stairs, which are round.",
	"See the handbook for the default layout of a page, and for the order of its parts.",
	"The names of all fields are in lower case English.",
	"Only trimmed hedges line the way to the hidden garden.",
}

// TestProse inserts harmless sentences into the documents of faults: all of them into the texts of the document, its
// tags, operations, parameters and responses, and one after the other into the texts of schemas and properties. No
// finding changes its severity. COLDFRAME_CASES=all tests every fifteenth fault of a kind.
func TestProse(t *testing.T) {
	services := map[string]backends.Service{}
	for _, s := range backends.Services() {
		services[s.Name] = s
	}
	kinds, tested := map[string]int{}, 0
	for _, f := range backends.Catalogue() {
		kinds[f.Service+f.Kind]++
		if kinds[f.Service+f.Kind]%15 != 1 || f.Beyond {
			continue
		}
		if tested++; tested%sample.Every(60, 60) != 0 {
			continue
		}
		t.Run(f.Name, func(t *testing.T) {
			t.Parallel()
			s := services[f.Service]
			plain := severities(t, s, f.Name)
			s.Document = withSentences(t, s.Document)
			if diff := cmp.Diff(plain, severities(t, s, f.Name)); diff != "" {
				t.Errorf("without and with the sentences:\n%s", diff)
			}
		})
	}
}

// severities returns the highest severity of the findings on a faulty service for each check and operation. Which
// property of several shows a fault may depend on generated values.
func severities(t *testing.T, s backends.Service, fault string) map[string]string {
	r, err := test(t.Context(), s, 0, []string{"examples", "stateful"}, fault)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	for _, f := range slices.Backward(r.Findings) { // the most severe come first
		found[f.Check+" "+f.Operation] = f.Severity.String()
	}
	return found
}

// withSentences appends sentences to the descriptions of a document.
func withSentences(t *testing.T, text []byte) []byte {
	root, _, err := tree.Read("document.yaml", text)
	if err != nil {
		t.Fatal(err)
	}
	document := root.Value().(map[string]any)
	n := 0
	add := func(of any, sentences ...string) {
		if object, ok := of.(map[string]any); ok && object["$ref"] == nil {
			said, _ := object["description"].(string)
			object["description"] = said + " " + strings.Join(sentences, " ")
		}
	}
	addNext := func(of any) {
		add(of, harmless[n%len(harmless)])
		n++
	}
	add(document["info"], harmless...)
	if tags, ok := document["tags"].([]any); ok {
		for _, tag := range tags {
			add(tag, harmless...)
		}
	}
	for _, item := range objects(document["paths"]) {
		for _, operation := range objects(item) {
			add(operation, harmless...)
			parameters, _ := operation["parameters"].([]any)
			for _, parameter := range parameters {
				add(parameter, harmless...)
			}
			for _, response := range objects(operation["responses"]) {
				add(response, harmless...)
			}
		}
	}
	components := document["components"].(map[string]any)
	for _, response := range objects(components["responses"]) {
		add(response, harmless...)
	}
	for _, of := range objects(components["schemas"]) {
		addNext(of)
		for _, property := range objects(of["properties"]) {
			addNext(property)
		}
	}
	encoded, err := json.Marshal(document)
	if err != nil {
		t.Fatal(err)
	}
	return encoded
}

// objects returns the objects in another one, in the order of their names.
func objects(in any) (all []map[string]any) {
	members, _ := in.(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(members)) {
		if object, ok := members[name].(map[string]any); ok {
			all = append(all, object)
		}
	}
	return all
}
