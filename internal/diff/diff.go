// Package diff compares two versions of a document, and says what the changes mean for the clients of the API.
//
//	old, _ := spec.LoadBundle(ctx, "old.yaml", spec.Options{})
//	new, _ := spec.LoadBundle(ctx, "new.yaml", spec.Options{})
//	changes, err := diff.Compare(old, new)
//
// The rules are oasdiff's. It compares normalized documents, so that older versions of OpenAPI and slightly wrong
// documents are compared by their meaning.
package diff

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/oasdiff/oasdiff/checker"
	"github.com/oasdiff/oasdiff/diff"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/spec"
)

// Change is a difference between two versions of a document.
type Change struct {
	ID       string            // of the rule, in kebab case
	Severity exchange.Severity // an error breaks clients, a warning may break them, information does not
	Method   string            // of the operation, "" for a change of the whole document
	Path     string            // of the operation
	Text     string
	Comment  string         // why it matters, "" if nothing is to say
	Old, New exchange.Place // zero if that document does not have it
}

// Compare returns the changes from one version of a document to another, the most severe first.
func Compare(old, new *spec.Bundle) ([]Change, error) {
	before, err := old.Model()
	if err != nil {
		return nil, fmt.Errorf("the old document: %w", err)
	}
	after, err := new.Model()
	if err != nil {
		return nil, fmt.Errorf("the new document: %w", err)
	}
	found, err := diff.Get(diff.NewConfig(), before, after)
	if err != nil {
		return nil, err
	}
	sources := diff.OperationsSourcesMap{}
	say := checker.NewDefaultLocalizer()
	changes := basePaths(old, new)
	for _, c := range checker.CheckBackwardCompatibilityUntilLevel(
		checker.NewConfig(checker.GetAllChecks(), checker.WithSeverityLevels(raised())), found, &sources, checker.INFO) {
		if c.GetSection() == "info" || c.GetId() == checker.APISchemasRemovedId {
			continue // NextVersion says more, and normalizing chose the component schemas
		}
		changes = append(changes, Change{ID: c.GetId(), Severity: severities[c.GetLevel()], Method: c.GetOperation(),
			Path: c.GetPath(), Text: c.GetUncolorizedText(say), Comment: c.GetComment(say),
			Old: place(old, c.GetBaseSource()), New: place(new, c.GetRevisionSource())})
	}
	slices.SortStableFunc(changes, func(a, b Change) int { return cmp.Compare(a.Severity, b.Severity) })
	return changes, nil
}

// basePaths reports base paths under which the API is no longer served. oasdiff does not compare servers, whose hosts
// differ between environments.
func basePaths(old, new *spec.Bundle) []Change {
	var changes []Change
	for _, path := range old.BasePaths {
		if !slices.Contains(new.BasePaths, path) {
			changes = append(changes, Change{ID: "server-base-path-removed", Severity: exchange.Warning,
				Text: "no server has the base path `" + cmp.Or(path, "/") + "`", Old: old.Servers, New: new.Servers})
		}
	}
	return changes
}

// raised returns the levels of rules that oasdiff takes for information, although a client can notice the change.
func raised() map[string]checker.Level {
	levels := map[string]checker.Level{}
	for _, id := range []string{
		// The operation is announced to go, but who calls it gets an error.
		checker.APIRemovedWithDeprecationId, checker.APIPathRemovedWithDeprecationId,
		// Requests without the value get another response.
		checker.RequestParameterDefaultValueChangedId, checker.RequestBodyDefaultValueChangedId,
		checker.RequestPropertyDefaultValueChangedId,
		// Clients that show the property show it no longer.
		checker.ResponseOptionalPropertyRemovedId,
	} {
		levels[id] = checker.WARN
	}
	return levels
}

var severities = map[checker.Level]exchange.Severity{
	checker.ERR: exchange.Error, checker.WARN: exchange.Warning, checker.INFO: exchange.Info,
}

func place(b *spec.Bundle, at *checker.Source) exchange.Place {
	if at == nil {
		return exchange.Place{}
	}
	return b.Place(at.Line)
}
