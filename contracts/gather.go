package contracts

import (
	"cmp"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/contracts/internal/cases"
	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/internal/exchange"
)

// gathered is what the tally found, by cause.
type gathered struct {
	findings []Finding
	// of gives for each finding, and what follows, the fingerprints by which the
	// baseline may know it: for each operation several, of which one is enough.
	of map[string][][]string
}

// group is the findings on single operations that have one cause.
type group struct {
	fingerprint string
	members     []*kept
	follows     []*kept
}

// gather makes one finding of what has one cause: what several operations have in
// common, and what only shows that something was wrongly accepted. index is that
// of operations in the document.
func (t *tally) gather(index map[string]int) gathered {
	all := make([]*kept, 0, len(t.findings))
	for _, k := range t.findings {
		all = append(all, k)
	}
	slices.SortFunc(all, func(a, b *kept) int {
		return cmp.Or(cmp.Compare(index[a.Operation], index[b.Operation]), a.cause.compare(b.cause))
	})
	often, families := t.often(all), familiesOf(all)
	result := gathered{of: map[string][][]string{}}
	groups := map[string]*group{}
	var order []*group
	groupOf := func(k *kept) *group {
		print := k.fingerprintIn(often)
		if groups[print] == nil {
			groups[print] = &group{fingerprint: print}
			order = append(order, groups[print])
		}
		return groups[print]
	}
	for _, k := range all {
		print := k.fingerprintIn(often)
		result.of[print] = append(result.of[print], k.known())
		leader := t.leader(k)
		if first := families[k.family]; leader == nil && first != nil && first != k {
			leader = first
			if l := t.leader(first); l != nil {
				leader = l
			}
		}
		if leader == nil {
			g := groupOf(k)
			g.members = append(g.members, k)
			continue
		}
		g := groupOf(leader)
		g.follows = append(g.follows, k)
	}
	for _, g := range order {
		if len(g.members) > 0 {
			result.findings = append(result.findings, g.finding(often))
		}
	}
	slices.SortFunc(result.findings, func(a, b Finding) int { return before(index, &a, &b) })
	return result
}

// often gives the causes that most operations show which were tried.
func (t *tally) often(all []*kept) map[string]bool {
	seen := map[string]int{}
	for _, k := range all {
		if a := k.anywhere(); a != "" {
			seen[a]++
		}
	}
	often := map[string]bool{}
	for _, k := range all {
		if n := seen[k.anywhere()]; n >= fewest && 2*n > len(t.tried[k.trial]) {
			often[k.anywhere()] = true
		}
	}
	return often
}

// fewestAlike is how many properties have to be wrong in the same way that they
// are taken for one fault: another item is shown, or an old one, or one in a
// wrapper.
const fewestAlike = 4

// familiesOf gives the first of those that are taken for one fault.
func familiesOf(all []*kept) map[string]*kept {
	members := map[string]int{}
	for _, k := range all {
		members[k.family]++
	}
	families := map[string]*kept{}
	for _, k := range all {
		if k.family != "" && members[k.family] >= fewestAlike && families[k.family] == nil {
			families[k.family] = k
		}
	}
	return families
}

// familyOf names what a verdict on one property of a body is wrong in alike with
// others: properties that are missing, or not as they were sent; "" for none.
func familyOf(c cause, v *checks.Violation) string {
	if !strings.HasPrefix(v.About, exchange.InBody+".") {
		return ""
	}
	what := ""
	switch f := v.Finding; {
	case f == nil && v.Check.Comparison != checks.NoComparison:
	case f != nil && c.check == "body" && (f.Code == "required" || f.Code == "additional-properties"):
		class, _, _ := strings.Cut(c.cause, " ")
		what = class + " " + checks.General(f.Pointer[:max(0, strings.LastIndexByte(f.Pointer, '/'))])
	default:
		return ""
	}
	return strings.Join([]string{c.check, c.operation, what}, "\n")
}

// anywhere names a cause that may be that of most operations; "" for others.
func (k *kept) anywhere() string {
	if k.trial == "" || k.shared != "" {
		return ""
	}
	return k.cause.check + "\nanywhere\n" + k.trial + "\n" + k.cause.cause
}

// fingerprintIn gives the fingerprint of what a finding on one operation is told
// as.
func (k *kept) fingerprintIn(often map[string]bool) string {
	switch a := k.anywhere(); {
	case k.shared != "":
		return fingerprint(k.shared)
	case often[a]:
		return fingerprint(a)
	}
	return k.cause.fingerprint()
}

// known gives the fingerprints by which a report may have told it.
func (k *kept) known() []string {
	all := []string{k.cause.fingerprint()}
	if k.shared != "" {
		all = append(all, fingerprint(k.shared))
	}
	if a := k.anywhere(); a != "" {
		all = append(all, fingerprint(a))
	}
	return all
}

// leader gives what a finding merely follows from; nil for none. It is so only
// where that is certain:
//   - a bad credential is taken where none is asked for, or any is taken;
//   - it was seen in no answers but those to requests that should not have been
//     accepted;
//   - a body shows a property that breaks the very constraint which requests
//     could break in this run, or which they were refused for while what they make
//     was kept all the same.
func (t *tally) leader(k *kept) *kept {
	if k.cause.check == "credentials-ignored" {
		return t.opener(k)
	}
	if !k.alone && k.leader != nil {
		if l := t.findings[*k.leader]; l != nil {
			if l.cause.check == "credentials-ignored" {
				return cmp.Or(t.leader(l), l)
			}
			return l
		}
	}
	for _, is := range k.facts {
		if c, ok := t.accepted[is]; ok && is.property != "" {
			if l := t.findings[c]; l != nil {
				return l
			}
		}
	}
	return t.traces(k)
}

// opener gives what a bad credential is taken for: where none is asked for any is
// taken, and where one is taken that nobody was given, so are those that are made
// from good ones.
func (t *tally) opener(k *kept) *kept {
	if k.cause.cause == noCredentials {
		return nil
	}
	if none := t.findings[cause{k.cause.check, k.cause.operation, noCredentials}]; none != nil {
		return none
	}
	for _, how := range []cases.Form{cases.Suffixed, cases.OtherCase, cases.Foreign} {
		if of, ok := strings.CutSuffix(k.cause.cause, how.String()); ok {
			return t.findings[cause{k.cause.check, k.cause.operation, of + cases.Wrong.String()}]
		}
	}
	return nil
}

// noCredentials is the case of credentials-ignored that explains the others.
const noCredentials = "no credentials"

// traces gives what was found about refused creations that leave something
// behind, of an operation that refuses what a body shows.
func (t *tally) traces(of *kept) *kept {
	if of.facts[0].property == "" {
		return nil
	}
	var first *kept
	for c, k := range t.findings {
		if c.check != "traces" || first != nil && c.compare(first.cause) > 0 {
			continue
		}
		if slices.ContainsFunc(append(k.sent, k.Operation), func(operation string) bool {
			return t.refused[refusal{of.facts[0], operation}] || t.refused[refusal{of.facts[1], operation}]
		}) {
			first = k
		}
	}
	return first
}

// finding is what a group is told as.
func (g *group) finding(often map[string]bool) Finding {
	f := g.members[0].Finding
	f.Fingerprint, f.Count, f.Operations, f.Consequences = g.fingerprint, 0, nil, nil
	for _, k := range g.members {
		f.Count += k.Count
		f.Operations = append(f.Operations, k.Operation)
	}
	at := map[string]int{}
	for _, k := range g.follows {
		print := k.fingerprintIn(often)
		i, told := at[print]
		if !told {
			i = len(f.Consequences)
			at[print] = i
			f.Consequences = append(f.Consequences, Consequence{Check: k.Check, Message: k.Message, Fingerprint: print})
		}
		f.Consequences[i].Count += k.Count
		f.Consequences[i].Operations = append(f.Consequences[i].Operations, k.Operation)
	}
	return f
}

// operationsOf names the operations of some exchanges.
func operationsOf(sent []*checks.Exchange) []string {
	var all []string
	for _, x := range sent {
		if name := nameOf(x.Case.Operation); !slices.Contains(all, name) {
			all = append(all, name)
		}
	}
	return all
}
