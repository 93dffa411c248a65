// Package unusual measures the contract tester on backends that are correct but unusual: one small service in
// many variants, each with the sentence that permits what it does. The tester must find no error in them, must
// not lock itself out, and must leave alone what was there before. Beside some variants stands a twin that does
// wrong in the same place, which must be found.
package unusual

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/tree"
)

// Variant is the service with one unusual behaviour.
type Variant struct {
	Name string
	// Permits is the sentence that permits the behaviour, and where it stands: a section of an RFC, or
	// "document" where Change has it.
	Permits string
	// Parts are the parts of the base document that the variant has, by the first segment of their paths.
	// Default: tasks without their notes.
	Parts []string
	// Change is a merge patch (RFC 7396) of the base document, in YAML.
	Change string
	Behaviour
	// Twins do wrong in the same place, which is an error. Doubtful ones do where no check can be certain, which
	// may be a warning.
	Twins, Doubtful []Twin
}

// Twin is a faulty backend with the document of its variant.
type Twin struct {
	Name string
	// Check finds the fault. Several that may do so are separated by spaces.
	Check string
	Behaviour
}

// Behaviour is what a backend does otherwise than the plain service. Each function is nil if it does not.
// All but Serve are called one request at a time.
type Behaviour struct {
	// Serve wraps the service if the variant concerns bytes and connections.
	Serve func(*Service, http.Handler) http.Handler
	// Before answers in place of the service, before the request is validated, and reports whether it has.
	Before func(*call) bool
	// Rule returns what is wrong with the values of an item that the schema allows, or "". The refusal is
	// a 422.
	Rule func(c *call, sent map[string]any) string
	// Keep changes the values of an item before they are kept.
	Keep func(c *call, values map[string]any)
	// Show changes a copy of the values before they are shown.
	Show func(c *call, values map[string]any)
	// List chooses and orders the items of a list, before it is cut into pages.
	List func(c *call, items []*item) []*item
	// Wrap makes the body of a list of the items of a page.
	Wrap func(c *call, page []any, total int) any
	// Handle answers the operations with these ids in place of the service.
	Handle map[string]func(*call)
	// After changes an answer.
	After func(*call)
}

// Variants returns all variants in a fixed order.
func Variants() []*Variant {
	var all []*Variant
	for _, family := range [][]Variant{plain, valueVariants, listVariants, changeVariants, deletionVariants,
		conditionVariants, ruleVariants, wireVariants, accountVariants, shapeVariants, policyVariants} {
		for i := range family {
			all = append(all, &family[i])
		}
	}
	return all
}

var plain = []Variant{{
	Name: "plain", Permits: "document: every sentence of it", Parts: []string{"tasks", "notes", "people", "files",
		"settings", "sessions", "me"},
}}

//go:embed base.yaml
var base []byte

// Document returns the document of a variant, as JSON.
func (v *Variant) Document() ([]byte, error) {
	root, err := readBase()
	if err != nil {
		return nil, err
	}
	document := root.Value().(map[string]any)
	parts := v.Parts
	if parts == nil {
		parts = []string{"tasks"}
	}
	maps.DeleteFunc(document["paths"].(map[string]any), func(path string, _ any) bool {
		return !slices.Contains(parts, partOf(path))
	})
	if v.Change != "" {
		change, found, err := tree.ReadStrict(v.Name+".yaml", []byte(v.Change))
		if err != nil || len(found) > 0 {
			return nil, fmt.Errorf("%s: %v %v", v.Name, err, found)
		}
		document = jsonvalue.Merge(document, change.Value()).(map[string]any)
	}
	return json.MarshalIndent(document, "", " ")
}

var readBase = sync.OnceValues(func() (*tree.Node, error) {
	root, _, err := tree.Read("base.yaml", base)
	return root, err
})

// partOf returns the part that a path of the base document belongs to.
func partOf(path string) string {
	if strings.Contains(path, "/notes") {
		return "notes"
	}
	part, _, _ := strings.Cut(path[1:], "/")
	return cmp.Or(part, path)
}
