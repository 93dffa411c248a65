package findings

import (
	"cmp"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/contracts/internal/cases"
	"github.com/coldframe/coldframe/contracts/internal/checks"
)

const (
	// minWidespread is how many operations must show a fault that counts as one of
	// all; they must be more than half of those that were tried.
	minWidespread = 3
	// minPattern is how many properties must be wrong in the same way to count as one
	// fault: another item is shown, or an old one, or one in a wrapper.
	minPattern = 4
)

// grouped is what a collector found, by cause.
type grouped struct {
	findings []Finding
	// fingerprints gives for each finding and consequence those by which a baseline
	// may know it: for each operation several, of which one is enough.
	fingerprints map[string][][]string
}

// group is the faults of one cause.
type group struct {
	fingerprint  string
	members      []*fault
	consequences []*fault
}

// grouping is how faults are related.
type grouping struct {
	*Collector
	widespread map[string]bool   // causes that most operations show
	patterns   map[string]*fault // the first fault of each pattern
}

// group makes one finding of the faults of one cause: what several operations have
// in common, and what follows from a wrongly accepted request.
func (c *Collector) group() grouped {
	all := make([]*fault, 0, len(c.faults))
	for _, f := range c.faults {
		all = append(all, f)
	}
	slices.SortFunc(all, func(a, b *fault) int {
		return cmp.Or(cmp.Compare(c.index[a.Operation], c.index[b.Operation]), a.id.compare(b.id))
	})
	g := grouping{c, c.widespread(all), firstOfPatterns(all)}
	result := grouped{fingerprints: map[string][][]string{}}
	groups := map[string]*group{}
	var order []*group
	groupOf := func(f *fault) *group {
		print := g.fingerprint(f)
		if groups[print] == nil {
			groups[print] = &group{fingerprint: print}
			order = append(order, groups[print])
		}
		return groups[print]
	}
	for _, f := range all {
		print := g.fingerprint(f)
		result.fingerprints[print] = append(result.fingerprints[print], f.fingerprints())
		if cause := g.cause(f); cause != nil {
			of := groupOf(cause)
			of.consequences = append(of.consequences, f)
		} else {
			of := groupOf(f)
			of.members = append(of.members, f)
		}
	}
	for _, one := range order {
		if len(one.members) > 0 {
			result.findings = append(result.findings, g.finding(one))
		}
	}
	slices.SortFunc(result.findings, c.compare)
	return result
}

// compare orders findings: errors first, causes before what they lead to, then by
// operation.
func (c *Collector) compare(a, b Finding) int {
	rankA, rowA := rankOf(a.Check)
	rankB, rowB := rankOf(b.Check)
	return cmp.Or(cmp.Compare(a.Severity, b.Severity), cmp.Compare(rankA, rankB), rowA-rowB,
		cmp.Compare(c.index[a.Operation], c.index[b.Operation]),
		cmp.Compare(a.Check, b.Check), cmp.Compare(a.About, b.About), cmp.Compare(a.Fingerprint, b.Fingerprint))
}

// rankOf gives a check's rank, and the order within it: stateful checks have the
// table's.
func rankOf(id string) (rank checks.Rank, row int) {
	c, row := checks.Find(id)
	switch {
	case c == nil:
		return checks.RankAnswer, 0
	case c.Stateful():
		return c.Rank, row
	}
	return c.Rank, 0
}

// widespread gives the causes that most operations show.
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

// fingerprint gives that of the finding that a fault belongs to.
func (g *grouping) fingerprint(f *fault) string {
	switch w := f.widespread(); {
	case f.shared != "":
		return fingerprint(f.shared)
	case g.widespread[w]:
		return fingerprint(w)
	}
	return f.id.fingerprint()
}

// cause gives the fault that explains another, or the first of its pattern; nil
// for none.
func (g *grouping) cause(f *fault) *fault {
	if cause := g.explanation(f); cause != nil {
		return cause
	}
	first := g.patterns[f.pattern]
	if first == nil || first == f {
		return nil
	}
	return cmp.Or(g.explanation(first), first)
}

// explanation gives the fault that certainly explains another; nil for none:
//   - a bad credential is accepted where none is required, or any is accepted;
//   - it was only seen in answers to requests that should have been refused;
//   - a body shows a property that violates the very constraint that requests could
//     violate in this run, or for which they were refused while the item was kept.
func (g *grouping) explanation(f *fault) *fault {
	if f.id.check == credentialsIgnored {
		return g.openAccess(f)
	}
	if !f.unexplained && f.cause != nil {
		if cause := g.faults[*f.cause]; cause != nil {
			if cause.id.check == credentialsIgnored {
				return cmp.Or(g.openAccess(cause), cause)
			}
			return cause
		}
	}
	for _, violated := range f.shows {
		if id, ok := g.accepted[violated]; ok && violated.property != "" {
			if cause := g.faults[id]; cause != nil {
				return cause
			}
		}
	}
	return g.keptRefusal(f)
}

// noCredentials is the case of credentials-ignored that explains the others.
const noCredentials = "no credentials"

// openAccess gives the reason that a bad credential is accepted: none is required,
// or one that nobody was given is accepted, so those made from good ones are too.
func (g *grouping) openAccess(f *fault) *fault {
	if f.id.cause == noCredentials {
		return nil
	}
	if none := g.faults[faultID{f.id.check, f.id.operation, noCredentials}]; none != nil {
		return none
	}
	for _, form := range []cases.Form{cases.Suffixed, cases.OtherCase, cases.Foreign} {
		if scheme, ok := strings.CutSuffix(f.id.cause, form.String()); ok {
			return g.faults[faultID{f.id.check, f.id.operation, scheme + cases.Wrong.String()}]
		}
	}
	return nil
}

// keptRefusal gives the first refused creation that left something behind, of an
// operation that refuses what a body shows.
func (g *grouping) keptRefusal(shown *fault) *fault {
	if shown.shows[0].property == "" {
		return nil
	}
	var first *fault
	for id, f := range g.faults {
		if id.check != "traces" || first != nil && id.compare(first.id) > 0 {
			continue
		}
		if slices.ContainsFunc(f.sentTo, func(operation string) bool {
			return g.refused[refusal{shown.shows[0], operation}] || g.refused[refusal{shown.shows[1], operation}]
		}) {
			first = f
		}
	}
	return first
}

// finding gives the finding of a group.
func (g *grouping) finding(of *group) Finding {
	f := of.members[0].Finding
	f.Fingerprint, f.Count, f.Operations, f.Consequences = of.fingerprint, 0, nil, nil
	for _, member := range of.members {
		f.Count += member.Count
		f.Operations = append(f.Operations, member.Operation)
	}
	rows := map[string]int{} // in Consequences, by fingerprint
	for _, c := range of.consequences {
		print := g.fingerprint(c)
		i, ok := rows[print]
		if !ok {
			i = len(f.Consequences)
			rows[print] = i
			f.Consequences = append(f.Consequences, Consequence{Check: c.Check, Message: c.Message, Fingerprint: print})
		}
		f.Consequences[i].Count += c.Count
		f.Consequences[i].Operations = append(f.Consequences[i].Operations, c.Operation)
	}
	return f
}
