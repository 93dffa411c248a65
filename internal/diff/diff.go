// Package diff compares two versions of a document, and says what the changes mean for the clients of the API.
//
//	old, _ := spec.LoadBundle(ctx, "old.yaml", spec.Options{})
//	new, _ := spec.LoadBundle(ctx, "new.yaml", spec.Options{})
//	changes, err := diff.Compare(ctx, old, new)
//
// The rules are oasdiff's. It compares normalized documents, so that older versions of OpenAPI and slightly wrong
// documents are compared by their meaning.
package diff

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/oasdiff/oasdiff/checker"
	"github.com/oasdiff/oasdiff/diff"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/loading"
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
	Old, New exchange.Place // of what changed, or of what contains it; zero if that document has neither

	Fingerprint string // of the rule, the operation and what the rule names; the same wherever that is in the documents
	neutral     bool   // says nothing about requests and responses, such as another tag
}

// Compare returns the changes from one version of a document to another, the most severe first. It returns when the
// context is done, whatever the documents contain.
func Compare(ctx context.Context, old, new *spec.Bundle) ([]Change, error) {
	return loading.Until(ctx, func() ([]Change, error) { return compare(old, new) })
}

func compare(old, new *spec.Bundle) (changes []Change, err error) {
	defer func() {
		if fault := recover(); fault != nil { // oasdiff and kin-openapi trust documents more than we do
			err = fmt.Errorf("the documents cannot be compared: %v", fault)
		}
	}()
	oldModel, err := old.Model()
	if err != nil {
		return nil, fmt.Errorf("the old document: %w", err)
	}
	newModel, err := new.Model()
	if err != nil {
		return nil, fmt.Errorf("the new document: %w", err)
	}
	found, err := diff.Get(diff.NewConfig(), oldModel, newModel)
	if err != nil {
		return nil, err
	}
	sources := diff.OperationsSourcesMap{}
	say := checker.NewDefaultLocalizer()
	changes = basePaths(old, new)
	isNeutral := map[string]bool{}
	for _, rule := range checker.GetAllRules() {
		isNeutral[rule.Id] = rule.Area == checker.AreaTags
	}
	for _, c := range checker.CheckBackwardCompatibilityUntilLevel(
		checker.NewConfig(checker.GetAllChecks(), checker.WithSeverityLevels(raised())), found, &sources, checker.INFO) {
		if c.GetSection() == "info" || c.GetId() == checker.APISchemasRemovedId {
			continue // NextVersion says more, and normalizing chose the component schemas
		}
		before, after := line(c.GetBaseSource()), line(c.GetRevisionSource())
		if before == 0 {
			before = old.Counterpart(new, after)
		} else if after == 0 {
			after = new.Counterpart(old, before)
		}
		changes = append(changes, Change{ID: c.GetId(), Severity: severities[c.GetLevel()], Method: c.GetOperation(),
			Path: c.GetPath(), Text: c.GetUncolorizedText(say), Comment: c.GetComment(say),
			Old: old.Place(before), New: new.Place(after),
			Fingerprint: checker.Fingerprint(c), neutral: isNeutral[c.GetId()]})
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
				Text: "no server has the base path `" + cmp.Or(path, "/") + "`", Old: old.Servers, New: new.Servers,
				Fingerprint: checker.ComputeFingerprint("server-base-path-removed", "", path, nil)})
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

func line(at *checker.Source) int {
	if at == nil {
		return 0
	}
	return at.Line
}
