package findings

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/contracts/internal/cases"
	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/spec"
)

const (
	// minWidespread is how many operations must show a fault that counts as one of
	// all; they must be more than half of those that were tried.
	minWidespread = 3
	// minPattern is how many properties must be wrong in the same way to count as one
	// fault: another item is shown, or an old one, or one in a wrapper.
	minPattern = 4
	// maxTexts is how many texts tell the 5xx of an operation apart. Of more, they tell nothing.
	maxTexts = 20
	// maxFormer is how many fingerprints are kept by which earlier baselines may know a fault.
	maxFormer = 50
)

// grouping is what a collector found, by cause.
type grouping struct {
	*Collector
	widespread map[string]bool   // causes that most operations show
	patterns   map[string]*fault // the first fault of each pattern
	crowded    map[faultID]bool  // faults whose texts do not tell causes apart, by their former identity
	findings   []Finding
	shownBy    map[string]size // by fingerprint
	// fingerprints gives for each finding and consequence those by which a baseline
	// may know it: for each operation several, of which one is enough.
	fingerprints map[string][][]string
}

// group makes one finding of the faults of one cause: what several operations have
// in common, and what follows from a wrongly accepted request.
func (c *Collector) group() *grouping {
	all := slices.SortedFunc(maps.Values(c.faults), func(a, b *fault) int {
		return cmp.Or(cmp.Compare(c.index[a.Operation], c.index[b.Operation]), a.id.compare(b.id))
	})
	g := &grouping{c, c.widespread(all), firstOfPatterns(all), crowded(all), nil, map[string]size{},
		map[string][][]string{}}
	found := map[string]*Finding{} // by fingerprint; its count is 0 while only consequences are known
	for _, f := range all {
		print, cause := g.fingerprint(f), g.cause(f)
		g.fingerprints[print] = append(g.fingerprints[print], f.fingerprints())
		if cause == nil {
			finding := entry(found, print)
			if finding.Count == 0 || f.Severity < finding.Severity ||
				f.Severity == finding.Severity && f.Operation == finding.Operation && f.shownBy.compare(g.shownBy[print]) < 0 {
				others := *finding
				*finding, g.shownBy[print] = f.Finding, f.shownBy
				finding.Fingerprint, finding.Count, finding.Places = print, others.Count, others.Places
				finding.Operations, finding.Consequences = others.Operations, others.Consequences
			}
			finding.Count += f.Count
			for _, name := range []string{f.Operation, f.reader} { // they come in order
				if name != "" && !slices.Contains(finding.Operations, name) {
					finding.Operations = append(finding.Operations, name)
				}
			}
			for _, place := range f.places {
				if i, known := slices.BinarySearch(finding.Places, place); !known {
					finding.Places = slices.Insert(finding.Places, i, place)
				}
			}
			continue
		}
		finding := entry(found, g.fingerprint(cause))
		i := slices.IndexFunc(finding.Consequences, func(c Consequence) bool { return c.Fingerprint == print })
		if i < 0 {
			i = len(finding.Consequences)
			follows := Consequence{Check: f.Check, Message: f.Message, Fingerprint: print}
			finding.Consequences = append(finding.Consequences, follows)
		}
		follows := &finding.Consequences[i]
		follows.Count += f.Count
		if !slices.Contains(follows.Operations, f.Operation) {
			follows.Operations = append(follows.Operations, f.Operation)
		}
	}
	for _, finding := range found {
		if finding.Count > 0 {
			if len(finding.Places) == 1 {
				finding.Places = nil // About has it
			}
			g.findings = append(g.findings, *finding)
		}
	}
	slices.SortFunc(g.findings, c.compare)
	return g
}

// entry gives the value of a key, a new one where there is none.
func entry[K comparable, V any](m map[K]*V, key K) *V {
	if m[key] == nil {
		m[key] = new(V)
	}
	return m[key]
}

// compare orders findings: errors first, causes before what they lead to, then by operation.
func (c *Collector) compare(a, b Finding) int {
	rankA, rowA := rankOf(a.Check)
	rankB, rowB := rankOf(b.Check)
	return cmp.Or(cmp.Compare(a.Severity, b.Severity), cmp.Compare(rankA, rankB), rowA-rowB,
		cmp.Compare(c.index[a.Operation], c.index[b.Operation]),
		cmp.Compare(a.Check, b.Check), cmp.Compare(a.About, b.About), cmp.Compare(a.Fingerprint, b.Fingerprint))
}

// rankOf gives a check's rank, and the order within it: stateful checks have the table's.
func rankOf(id string) (rank checks.Rank, row int) {
	c, row := checks.Find(id)
	if !c.Stateful() {
		row = 0
	}
	return c.Rank, row
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

// crowded gives the faults of which an operation has too many texts.
func crowded(all []*fault) map[faultID]bool {
	texts, many := map[faultID]int{}, map[faultID]bool{}
	for _, f := range all {
		if id := f.formerID(); id != f.id {
			texts[id]++
			many[id] = texts[id] > maxTexts
		}
	}
	return many
}

// formerID identifies a fault without the text of its answers.
func (f *fault) formerID() faultID {
	if f.textCause == "" {
		return f.id
	}
	return faultID{f.id.check, f.id.operation, f.textCause, f.id.waiver}
}

// fingerprint gives that of the finding that a fault belongs to.
func (g *grouping) fingerprint(f *fault) string {
	switch w := f.widespread(); {
	case f.id.waiver != 0: // waived findings are listed apart
		return fingerprint(f.id.check, f.id.operation, f.id.cause, fmt.Sprint("waiver ", f.id.waiver))
	case g.crowded[f.formerID()]:
		return f.formerID().fingerprint()
	case g.alike(f) != nil:
		return g.alike(f).id.fingerprint()
	case f.shared != "":
		return fingerprint(f.shared)
	case g.widespread[w]:
		return fingerprint(w)
	}
	return f.id.fingerprint()
}

// alike gives the server error of other requests which one of requests that conform is the same as, unless the smallest
// of both are known to vary two places; nil for none.
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

// cause gives the fault that explains another, or the first of its pattern; nil for none. No warning explains
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

// explanation gives the fault that certainly explains another; nil for none:
//   - a bad credential is accepted where none is required, or any is accepted;
//   - it was only seen in answers to requests that should have been refused;
//   - a body shows a property that violates the very constraint that requests could
//     violate in this run, or for which they were refused while the item was kept.
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
	for _, violated := range f.shows {
		if cause := g.faults[g.accepted[violated]]; cause != nil && violated.property != "" {
			return cause
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

// keptRefusal gives the first refused creation that left something behind, of an
// operation that refuses what a body shows.
func (g *grouping) keptRefusal(shown *fault) *fault {
	if shown.shows[0].property == "" {
		return nil
	}
	var first *fault
	for id, f := range g.faults {
		if id.check == "traces" && (first == nil || id.compare(first.id) < 0) &&
			slices.ContainsFunc(f.sentTo, func(operation string) bool {
				return g.refused[refusal{shown.shows[0], operation}] || g.refused[refusal{shown.shows[1], operation}]
			}) {
			first = f
		}
	}
	return first
}

const credentialsIgnored = "credentials-ignored"

// faultID identifies a fault of one operation: violations with the same are one.
type faultID struct {
	check, operation, cause string
	waiver                  int // that has it, from 1; 0 for none
}

func idOf(v *checks.Violation, operation string) faultID {
	return faultID{v.Check.ID, operation, v.Cause, v.Waiver}
}

func (a faultID) compare(b faultID) int {
	return cmp.Or(cmp.Compare(a.check, b.check), cmp.Compare(a.operation, b.operation), cmp.Compare(a.cause, b.cause),
		a.waiver-b.waiver)
}

// fingerprint identifies a fault in every run.
func (a faultID) fingerprint() string { return fingerprint(a.check, a.operation, a.cause) }

func fingerprint(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\n")))
	return hex.EncodeToString(sum[:6])
}

// fault is a finding on one operation, with what relates it to others.
type fault struct {
	Finding
	id      faultID
	shownBy size
	// first and smallest are exchanges that show it, for as long as it is suspected.
	first, smallest []*checks.Exchange
	reader          string // the operation that shows it, where Operation has the request that it comes after
	state           state
	sentTo          []string // the operations of the exchanges that show it
	places          []string // in the exchange, that it was seen at
	shared          string   // what it has in common with faults of other operations; "" for none
	pattern         string   // what it has in common with faults of other properties; "" for none
	trial           string   // see trialOf; "" where it was seen otherwise as well
	// textCause is what a server error was before its text told it from others; "" for other faults.
	textCause string
	former    []string // fingerprints by which earlier baselines may know it
	// cause is the first wrongly accepted request that explains it. unexplained says
	// that it was seen without one.
	cause       faultID
	unexplained bool
	// shows are the violated constraints of a property in a successful answer.
	shows [2]constraint
}

// relate notes what may explain a violation: a wrongly accepted request in the
// same exchange, or the property that the answer shows.
func (f *fault) relate(x *checks.Exchange, v *checks.Violation, cause faultID) {
	if trialOf(x, v.Check.ID) != f.trial {
		f.trial = ""
	}
	switch {
	case cause == faultID{} || v.Check.Relation != checks.Consequence:
		f.unexplained = true
	case f.cause == faultID{} || cause.compare(f.cause) < 0:
		f.cause = cause
	}
	f.shared = min(f.shared, sharedBy(x, v)) // the place may differ for the same cause
	if place := generalPlace(v); place != "" && !slices.Contains(f.places, place) && len(f.places) < maxFormer {
		f.places = append(f.places, place)
	}
	before := *v
	before.Cause, before.Across = cmp.Or(v.Former, v.Cause), ""
	for _, print := range []string{faultID{f.id.check, f.id.operation, before.Cause, 0}.fingerprint(),
		fingerprint(sharedBy(x, &before))} {
		if !slices.Contains(f.former, print) && len(f.former) < maxFormer {
			f.former = append(f.former, print)
		}
	}
	if v.Finding != nil && v.Check.ID == "body" && x.Succeeded() {
		shows := constraintsOf(x.Case.Operation, v.Finding)
		if f.shows[0].property == "" || shows[0].where < f.shows[0].where {
			f.shows = shows
		}
	}
}

// sharedBy gives what makes a violation one finding with those of other operations: the same check and the
// same fault at a place of the document outside the operation, such as a response or a schema that several
// refer to. It is "" for a violation that is about its operation alone.
func sharedBy(x *checks.Exchange, v *checks.Violation) string {
	operation, at := x.Case.Operation.Place, v.Place
	if v.Across != "" && v.Check.Comparison != checks.NoComparison {
		return "comparison\nacross\n" + v.Across
	}
	if v.Across != "" {
		return v.Check.ID + "\nacross\n" + v.Across
	}
	if v.Check.Stateful() || x.Case.Expected == cases.NotAllowed {
		return ""
	}
	file := ""
	if at.File != operation.File {
		file = path.Base(filepath.ToSlash(at.File))
	} else if at.Pointer == "" || at.Pointer == operation.Pointer || strings.HasPrefix(at.Pointer, operation.Pointer+"/") {
		return ""
	}
	return strings.Join([]string{v.Check.ID, file + "#" + at.Pointer, cmp.Or(v.Shared, v.Cause)}, "\n")
}

// patternOf names the way in which one property of a body is wrong: it is missing,
// undeclared, or not as it was sent. It is "" for other violations.
func patternOf(id faultID, v *checks.Violation) string {
	if !strings.HasPrefix(v.About, exchange.InBody+".") {
		return ""
	}
	what := ""
	switch f := v.Finding; {
	case f == nil && v.Check.Comparison != checks.NoComparison:
	case f != nil && id.check == "body" && (f.Code == "required" || f.Code == "additional-properties"):
		class, _, _ := strings.Cut(id.cause, " ")
		what = class + " " + checks.General(f.Pointer[:max(0, strings.LastIndexByte(f.Pointer, '/'))])
	default:
		return ""
	}
	return strings.Join([]string{id.check, id.operation, what}, "\n")
}

var startsWithPlace = regexp.MustCompile(`^(body|query|path|header|cookie)\b`)

// variedBy gives the parameter, or the property of the body, that a request varies; "" where that is unknown.
func variedBy(c *cases.Case) string {
	where := c.Varied
	if c.Violation != nil {
		where = c.Violation.Where()
	} else if place, _, _ := strings.Cut(c.Title, " "); where == "" && startsWithPlace.MatchString(place) {
		where = place
	}
	parts := strings.SplitN(where, ".", 3)
	return strings.Join(parts[:min(len(parts), 2)], ".")
}

// generalPlace is a violation's place in the exchange with "*" in place of indexes and keys. Of an undeclared property
// it is the object.
func generalPlace(v *checks.Violation) string {
	about := v.About
	if f := v.Finding; f != nil && (f.Code == "additional-properties" || f.Code == "unevaluated-properties") {
		about = about[:max(0, strings.LastIndexByte(about, '.'))]
	}
	return strings.ReplaceAll(checks.General(strings.ReplaceAll(about, ".", "/")), "/", ".")
}

// widespread identifies a cause that most operations may show; "" for others.
func (f *fault) widespread() string {
	if f.trial == "" || f.shared != "" {
		return ""
	}
	return f.id.check + "\nanywhere\n" + f.trial + "\n" + f.id.cause
}

// fingerprints gives those by which a baseline may know the fault.
func (f *fault) fingerprints() []string {
	// those of "" are nobody's
	return append([]string{f.id.fingerprint(), fingerprint(f.shared), fingerprint(f.widespread())}, f.former...)
}

// constraint is a property that violates a constraint. where is the constraint's place in the document, or
// the first segment of the operation's path: creations and reads may have schemas of their own.
type constraint struct{ property, code, where string }

func constraintsOf(o *spec.Operation, f *exchange.Finding) [2]constraint {
	property := f.Name
	tokens := strings.Split(f.Pointer, "/")
	for i := len(tokens) - 1; i > 0; i-- {
		if strings.Trim(tokens[i], "0123456789") != "" {
			property = tokens[i]
			break
		}
	}
	segment, _, _ := strings.Cut(strings.TrimPrefix(o.Path, "/"), "/")
	return [2]constraint{{property, f.Code, f.Document.File + "#" + f.Document.Pointer}, {property, f.Code, "/" + segment}}
}

// refusal is a violated constraint that an operation refuses.
type refusal struct {
	constraint
	operation string
}

// size orders the exchanges that show a fault: the report shows the smallest, whenever it was sent. It is
// that of the case, as what was sent may have keys that differ from run to run.
type size struct {
	requests, bytes int
	text            string
	varies          string // see variedBy; it does not count
}

func sizeOf(x *checks.Exchange, before []*checks.Exchange) size {
	r := x.Case.Request
	return size{len(before), len(r.Path) + len(r.Query) + len(r.Body), r.Path + "?" + r.Query + " " + x.Case.Title,
		variedBy(x.Case)}
}

func (a size) compare(b size) int {
	return cmp.Or(a.requests-b.requests, a.bytes-b.bytes, cmp.Compare(a.text, b.text))
}

// isDecided reports whether a request shows what becomes of its bad credentials: others are refused for another reason.
func isDecided(x *checks.Exchange, check string) bool {
	return check != credentialsIgnored || x.Succeeded() || x.Status() == 401 || x.Status() == 403
}

// trialOf names a way in which most operations are tried, so that a fault that
// most of them show is one finding; "" for requests that are about one operation.
func trialOf(x *checks.Exchange, check string) string {
	switch {
	case x.Case.Expected == cases.NotAllowed:
		return "method"
	case check == "valid-refused" && x.Case.Varied == cases.OfCredentials:
		return "enough: " + x.Case.Title
	case x.Case.Expected != cases.Unauthorized:
		return ""
	case check == credentialsIgnored:
		return "credentials: " + x.Case.Title
	}
	return "credentials"
}
