package findings

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/contracts/internal/cases"
	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/report"
)

const (
	// minWidespread is how many operations must show a fault that counts as one of
	// all; they must be more than half of those that were tried.
	minWidespread = 3
	// minRepeated is how many operations must repeat a fault in their own words to count as one.
	minRepeated = 3
	// maxKinds is how many kinds of requests may get a server error that operations repeat.
	maxKinds = 8
	// minPattern is how many properties must be wrong in the same way to count as one
	// fault: another item is shown, or an old one, or one in a wrapper.
	minPattern = 4
	// maxTexts is how many texts separate the 5xx of an operation. More texts separate nothing.
	maxTexts = 20
)

// grouping is what a collector found, by cause.
type grouping struct {
	*Collector
	widespread map[string]bool   // causes that most operations show
	repeated   map[string]bool   // causes that several operations repeat
	patterns   map[string]*fault // the first fault of each pattern
	traces     []*fault          // what refused requests left behind, in order: few beside all faults
	crowded    map[faultID]bool  // faults whose texts do not distinguish causes, by their identity without a text
	findings   []report.Finding
	shownBy    map[string]size // by fingerprint
	waivers    map[string]int  // the waiver that lists a finding, from 1, by fingerprint
}

// group makes one finding of the faults of one cause: what several operations have
// in common, and what follows from a wrongly accepted request.
func (c *Collector) group() *grouping {
	all := slices.SortedFunc(maps.Values(c.faults), func(a, b *fault) int {
		return cmp.Or(cmp.Compare(c.index[a.Operation], c.index[b.Operation]), a.id.compare(b.id))
	})
	g := &grouping{
		c, c.widespread(all), repeated(all), firstOfPatterns(all), c.traces(), crowded(all), nil,
		map[string]size{}, map[string]int{},
	}
	found := map[string]*report.Finding{} // by fingerprint; its count is 0 while only consequences are known
	faults := map[[2]string]bool{}
	for _, f := range all {
		print, cause := g.fingerprint(f), g.cause(f)
		if cause == nil {
			finding := entry(found, print)
			if finding.Count == 0 || f.Severity < finding.Severity ||
				f.Severity == finding.Severity && f.Operation == finding.Operation && f.shownBy.compare(g.shownBy[print]) < 0 {
				others := *finding
				*finding, g.shownBy[print], g.waivers[print] = f.Finding, f.shownBy, f.id.waiver
				finding.Fingerprint, finding.Count, finding.Places = print, others.Count, others.Places
				finding.Operations, finding.Consequences, finding.Faults = others.Operations, others.Consequences, others.Faults
			}
			finding.Count += f.Count
			if !slices.Contains(finding.Operations, f.Operation) { // they come in order
				finding.Operations = append(finding.Operations, f.Operation)
			}
			finding.Faults = g.withFaults(finding.Faults, f, print, faults)
			continue
		}
		finding := entry(found, g.fingerprint(cause))
		i := slices.IndexFunc(finding.Consequences, func(c report.Consequence) bool { return c.Fingerprint == print })
		if i < 0 {
			i = len(finding.Consequences)
			follows := report.Consequence{Check: f.Check, Message: f.Message, Fingerprint: print}
			finding.Consequences = append(finding.Consequences, follows)
		}
		follows := &finding.Consequences[i]
		follows.Count += f.Count
		follows.Faults = g.withFaults(follows.Faults, f, g.fingerprint(cause)+print, faults)
		if !slices.Contains(follows.Operations, f.Operation) {
			follows.Operations = append(follows.Operations, f.Operation)
		}
	}
	for _, finding := range found {
		if finding.Count > 0 {
			if finding.Places = placesOf(finding.Faults); len(finding.Places) == 1 {
				finding.Places = nil // About has it
			}
			g.findings = append(g.findings, *finding)
		}
	}
	slices.SortFunc(g.findings, c.compare)
	return g
}

// withFaults adds a fault at each of its places to the faults of a finding or consequence, in, that lacks them. known
// has the fingerprints of all by what they are in.
func (g *grouping) withFaults(all []report.Fault, f *fault, in string, known map[[2]string]bool) []report.Fault {
	id := g.identity(f)
	for _, place := range f.places {
		fault := report.Fault{Operation: f.Operation, About: place,
			Fingerprint: fingerprint(id.check, id.operation, id.cause, place)}
		if key := [2]string{in, fault.Fingerprint}; !known[key] {
			known[key] = true
			all = append(all, fault)
		}
	}
	return all
}

// placesOf returns the places of faults, sorted.
func placesOf(all []report.Fault) (places []string) {
	for _, f := range all {
		if f.About != "" {
			places = append(places, f.About)
		}
	}
	slices.Sort(places)
	return slices.Compact(places)
}

// entry returns the value of a key, a new one if there is none.
func entry[K comparable, V any](m map[K]*V, key K) *V {
	if m[key] == nil {
		m[key] = new(V)
	}
	return m[key]
}

// compare orders findings: errors first, causes before what they lead to, then by operation.
func (c *Collector) compare(a, b report.Finding) int {
	rankA, rowA := rankOf(a.Check)
	rankB, rowB := rankOf(b.Check)
	return cmp.Or(cmp.Compare(a.Severity, b.Severity), cmp.Compare(rankA, rankB), rowA-rowB,
		cmp.Compare(c.index[a.Operation], c.index[b.Operation]),
		cmp.Compare(a.Check, b.Check), cmp.Compare(a.About, b.About), cmp.Compare(a.Fingerprint, b.Fingerprint))
}

// rankOf returns a check's rank, and the order within it: stateful checks have the table's.
func rankOf(id string) (rank checks.Rank, row int) {
	c, row := checks.Find(id)
	if !c.Stateful() {
		row = 0
	}
	return c.Rank, row
}

// widespread returns the causes that most operations show.
func (c *Collector) widespread(all []*fault) map[string]bool {
	seen := map[string]int{}
	for _, f := range all {
		seen[f.widespread()]++
	}
	most := map[string]bool{}
	for _, f := range all {
		if w := f.widespread(); w != "" && seen[w] >= minWidespread && 2*seen[w] > len(c.tried[f.trial]) {
			most[w] = true
		}
	}
	return most
}

// repeated returns the causes that several operations repeat.
func repeated(all []*fault) map[string]bool {
	operations := map[string]map[string]bool{}
	for _, f := range all {
		cause := f.repeated()
		if operations[cause] == nil {
			operations[cause] = map[string]bool{}
		}
		operations[cause][f.Operation] = true
	}
	several := map[string]bool{}
	for cause, by := range operations {
		several[cause] = cause != "" && len(by) >= minRepeated
	}
	return several
}

func firstOfPatterns(all []*fault) map[string]*fault {
	members := map[string]int{}
	for _, f := range all {
		members[f.pattern]++
	}
	first := map[string]*fault{}
	for _, f := range all {
		if f.pattern != "" && members[f.pattern] >= minPattern && first[f.pattern] == nil {
			first[f.pattern] = f
		}
	}
	return first
}

// crowded returns the faults of which an operation has too many texts.
func crowded(all []*fault) map[faultID]bool {
	texts, many := map[faultID]int{}, map[faultID]bool{}
	for _, f := range all {
		if id := f.textlessID(); id != f.id {
			texts[id]++
			many[id] = texts[id] > maxTexts
		}
	}
	return many
}

// identity returns what identifies a fault, whichever others the run has found.
func (g *grouping) identity(f *fault) faultID {
	switch alike := g.alike(f); {
	case g.crowded[f.textlessID()]:
		return f.textlessID()
	case alike != nil:
		return alike.id
	}
	return f.id
}

// fingerprint returns the fingerprint of a fault's finding.
func (g *grouping) fingerprint(f *fault) string {
	if other := g.alike(f); other != nil && f.id.waiver == 0 && !g.crowded[f.textlessID()] {
		return g.fingerprint(other)
	}
	switch w := f.widespread(); {
	case f.id.waiver != 0: // waived findings are listed apart
		return fingerprint(f.id.check, f.id.operation, f.id.cause, fmt.Sprint("waiver ", f.id.waiver))
	case g.identity(f) != f.id:
		return g.identity(f).fingerprint()
	case f.shared != "":
		return fingerprint(f.shared)
	case g.widespread[w]:
		return fingerprint(w)
	case g.repeated[f.repeated()]:
		return fingerprint(f.repeated())
	}
	return f.id.fingerprint()
}

// alike returns the server error of other requests which one of requests that conform is the same as, unless the
// smallest of both are known to vary two places; nil if none.
func (g *grouping) alike(f *fault) *fault {
	id := f.id
	if cause, conforms := strings.CutSuffix(id.cause, checks.Conforming); conforms {
		id.cause = cause
		other := g.faults[id]
		if other != nil && slices.Contains([]string{"", f.shownBy.varies}, other.shownBy.varies) {
			return other
		}
	}
	return nil
}

// cause returns the fault that explains another, or the first of its pattern; nil if none. No warning explains
// an error.
func (g *grouping) cause(f *fault) *fault {
	cause, first := g.explanation(f), g.patterns[f.pattern]
	if cause == nil && first != nil && first != f {
		cause = cmp.Or(g.explanation(first), first)
	}
	if cause != nil && cause.Severity > f.Severity {
		return nil
	}
	return cause
}

// explanation returns the fault that certainly explains another; nil if none:
//   - a bad credential is accepted if none is required, or any is accepted;
//   - it was only seen in answers to requests that should have been refused;
//   - a body shows a property that violates the very constraint that requests could
//     violate in this run, or for which they were refused while the item was kept, unless
//     a conforming request made the property what it is.
func (g *grouping) explanation(f *fault) *fault {
	if f.id.check == credentialsIgnored {
		return g.openAccess(f)
	}
	if cause := g.faults[f.cause]; cause != nil && !f.unexplained {
		if cause.id.check == credentialsIgnored {
			return cmp.Or(g.openAccess(cause), cause)
		}
		return cause
	}
	if f.isOwn {
		return nil
	}
	for _, violated := range f.shows {
		if cause := g.faults[g.accepted[violated]]; cause != nil && violated.property != "" {
			return cause
		}
	}
	return g.keptRefusal(f)
}

// noCredentials is the case of credentials-ignored that explains the others.
const noCredentials = "no credentials"

// openAccess returns the reason that a bad credential is accepted: none is required,
// or one that nobody was given is accepted, so those made from good ones are too.
func (g *grouping) openAccess(f *fault) *fault {
	if f.id.cause == noCredentials {
		return nil
	}
	if none := g.faults[faultID{f.id.check, f.id.operation, noCredentials, f.id.waiver}]; none != nil {
		return none
	}
	for _, form := range []cases.Form{cases.Suffixed, cases.OtherCase, cases.Foreign} {
		if scheme, ok := strings.CutSuffix(f.id.cause, form.String()); ok {
			return g.faults[faultID{f.id.check, f.id.operation, scheme + cases.Wrong.String(), f.id.waiver}]
		}
	}
	return nil
}

// keptRefusal returns the first refused creation that left something behind, of an
// operation that refuses what a body shows.
func (g *grouping) keptRefusal(shown *fault) *fault {
	if shown.shows[0].property == "" {
		return nil
	}
	refusesIt := func(operation string) bool {
		return g.refused[refusal{shown.shows[0], operation}] || g.refused[refusal{shown.shows[1], operation}]
	}
	for _, f := range g.traces {
		if slices.ContainsFunc(f.sentTo, refusesIt) {
			return f
		}
	}
	return nil
}

// traces returns the faults of that check in order.
func (c *Collector) traces() (all []*fault) {
	for id, f := range c.faults {
		if id.check == "traces" {
			all = append(all, f)
		}
	}
	slices.SortFunc(all, func(a, b *fault) int { return a.id.compare(b.id) })
	return all
}
