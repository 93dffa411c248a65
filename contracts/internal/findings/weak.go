package findings

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/coldframe/coldframe/contracts/internal/cases"
	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/internal/coverage"
	"github.com/coldframe/coldframe/internal/decode"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/report"
)

// accepted is the session in which the coverage counts accepted requests alone.
const accepted = "accepted"

// coveragePhase is the phase that tries all parts.
const coveragePhase = "coverage"

// maxReasons bounds the refusals that are kept as reasons, maxBranchDepth how deep in a body branches are looked for.
const (
	maxReasons     = 2_000
	maxBranchDepth = 3
)

// positives has what of operations had an accepted request, and why requests were refused. It is safe for concurrent
// use.
type positives struct {
	mu       sync.Mutex
	branches map[*spec.Operation]map[string]bool
	reasons  map[string]string // by operation and place: body.size
}

// notePositive notes that a conforming request was accepted or refused.
func (c *Collector) notePositive(x *checks.Exchange, values *decode.Values) {
	o := x.Case.Operation
	isMeant := x.Case.Expected == cases.Accepted || x.Case.Expected == cases.Anything && x.Case.Violation == nil
	if !isMeant || x.Request.Method != o.Method {
		return
	}
	p := &c.positives
	switch branches := branchesOf(o, x.Case.Value); {
	case x.Succeeded():
		c.exercised.counts.Count(coverage.Use{Operation: o, Values: values, Session: accepted, Response: x.Response})
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.branches[o] == nil {
			if p.branches == nil {
				p.branches = map[*spec.Operation]map[string]bool{}
			}
			p.branches[o] = map[string]bool{}
		}
		for place, has := range branches {
			p.branches[o][place] = p.branches[o][place] || has
		}
	case x.Status()/100 == 4 && x.Case.Expected == cases.Accepted:
		message, _ := checks.Refusal(x)
		reason := c.HideIn(x, strings.TrimSpace(fmt.Sprint(x.Status(), " ", message)))
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.reasons == nil {
			p.reasons = map[string]string{}
		}
		for place := range branches {
			name := OperationName(o) + " " + place
			if branches[place] && strings.HasPrefix(x.Case.Varied, "body") && p.reasons[name] == "" &&
				len(p.reasons) < maxReasons {
				p.reasons[name] = reason
			}
		}
		if name := OperationName(o) + " " + x.Case.Varied; p.reasons[name] == "" && len(p.reasons) < maxReasons {
			p.reasons[name] = reason
		}
	}
}

// branchesOf returns the branches of each oneOf in an operation's JSON body by their names, and whether a value is one
// of them.
func branchesOf(o *spec.Operation, value any) map[string]bool {
	if o.Body == nil {
		return nil
	}
	at := slices.IndexFunc(o.Body.Content, (*spec.MediaType).IsJSON)
	if at < 0 || o.Body.Content[at].Schema == nil {
		return nil
	}
	all := map[string]bool{}
	var look func(k *spec.Keywords, value any, has bool, place string, depth int)
	look = func(k *spec.Keywords, value any, has bool, place string, depth int) {
		for _, branches := range schema.OneOfs(k) {
			for i, branch := range branches {
				name := fmt.Sprintf("%s (oneOf, %d of %d)", place, i+1, len(branches))
				if types := schema.AllowedTypes(branch); len(types) == 1 && types[0] == "null" {
					continue
				}
				all[name] = all[name] || has && schema.Conforms(branch, value)
			}
		}
		if depth == 0 {
			return
		}
		object, _ := value.(map[string]any)
		for name, property := range schema.Properties(k) {
			if !schema.ReadOnly(property) {
				member, hasMember := object[name]
				look(property, member, hasMember, place+"."+name, depth-1)
			}
		}
	}
	look(o.Body.Content[at].Schema.Keywords, value, value != nil, "body", maxBranchDepth)
	return all
}

// Weak returns what of the operations that accept requests had none that was accepted, with the reason of a refusal:
// parameters, media types, properties and branches of their bodies. It lays out the coverage of the whole document.
func (c *Collector) Weak(operations []*spec.Operation) map[*spec.Operation][]string {
	r := c.exercised.counts.Session(accepted)
	c.mu.Lock()
	isTried := slices.ContainsFunc(c.phases, func(p report.Phase) bool { return p.ID == coveragePhase })
	c.mu.Unlock()
	if r == nil || !isTried {
		return nil
	}
	counted := make(map[string]*coverage.OperationReport, len(r.Operations))
	for i := range r.Operations {
		counted[r.Operations[i].Method+" "+r.Operations[i].Path] = &r.Operations[i]
	}
	weak := map[*spec.Operation][]string{}
	for _, o := range operations {
		if of := counted[o.Method+" "+o.Path]; of != nil && of.Hits > 0 {
			weak[o] = c.weakPlaces(o, of)
		}
	}
	return weak
}

func (c *Collector) weakPlaces(o *spec.Operation, counted *coverage.OperationReport) (places []string) {
	for _, m := range counted.Missing() {
		switch {
		case m.Kind == coverage.KindParameter, m.Kind == coverage.KindRequestProperty,
			m.Kind == coverage.KindMediaType && strings.HasPrefix(m.Name, "request "):
			places = append(places, strings.Replace(m.Name, "request", "body", 1))
		}
	}
	p := &c.positives
	p.mu.Lock()
	defer p.mu.Unlock()
	if had := p.branches[o]; had != nil {
		for _, place := range slices.Sorted(maps.Keys(branchesOf(o, nil))) {
			if !had[place] {
				places = append(places, place)
			}
		}
	}
	for i, place := range places {
		if reason := p.reasons[OperationName(o)+" "+place]; reason != "" {
			places[i] += ": " + reason
		}
	}
	return places
}
