package findings

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/contracts/internal/cases"
	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/lazyregexp"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/report"
)

const credentialsIgnored = "credentials-ignored"

// faultID identifies a fault of one operation: violations with the same are one.
type faultID struct {
	check, operation, cause string
	waiver                  int // that has it, from 1; 0 if none
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
	report.Finding
	id      faultID
	shownBy size
	// first and smallest are exchanges that show it, for as long as it is suspected.
	first, smallest []*checks.Exchange
	state           state
	shown           int      // bytes of the exchanges that show it
	sentTo          []string // the operations of the exchanges that show it
	places          []string // in the exchange, that it was seen at, sorted; "" for all of it
	shared          string   // what it has in common with faults of other operations; "" if none
	pattern         string   // what it has in common with faults of other properties; "" if none
	trial           string   // see trialOf; "" if it was seen otherwise as well
	// textless is the cause of a server error without the text that distinguishes it; "" for other faults.
	textless string
	// cause is the first wrongly accepted request that explains it. unexplained says
	// that it was seen without one.
	cause       faultID
	unexplained bool
	// shows are the violated constraints of a property in a successful answer. isOwn says that it was seen in an answer to
	// a conforming request that made the property what it is.
	shows [2]violatedConstraint
	isOwn bool
	// kinds are what was special about the requests with a server error whose answer says nothing: at most one more than
	// maxKinds.
	kinds []string
}

// textlessID identifies a fault without the text of its answers.
func (f *fault) textlessID() faultID {
	if f.textless == "" {
		return f.id
	}
	return faultID{f.id.check, f.id.operation, f.textless, f.id.waiver}
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
	if kind := kindOf(x, v); kind != "" && len(f.kinds) <= maxKinds {
		if at, has := slices.BinarySearch(f.kinds, kind); !has {
			f.kinds = slices.Insert(f.kinds, at, kind)
		}
	}
	if v.Finding != nil && v.Check.ID == "body" && x.Succeeded() {
		f.isOwn = f.isOwn || isMadeBy(x, violatedConstraints(x.Case.Operation, v.Finding)[0].property)
		shows := violatedConstraints(x.Case.Operation, v.Finding)
		if f.shows[0].property == "" || shows[0].where < f.shows[0].where {
			f.shows = shows
		}
	}
}

// sharedBy returns what makes a violation one finding with violations of other operations: the same check and the
// same fault at a place of the document outside the operation, such as a response or a schema that several
// refer to. It is "" for a violation that concerns its operation alone.
func sharedBy(x *checks.Exchange, v *checks.Violation) string {
	operation, at := v.Operation(x).Place, v.Place
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

var startsWithPlace = lazyregexp.New(`^(body|query|path|header|cookie)\b`)

// variedBy returns the parameter, or the property of the body, that a request varies; "" if that is unknown.
func variedBy(c *cases.Case) string {
	where := c.Varied
	if c.Violation != nil {
		where = c.Violation.Where()
	} else if place, _, _ := strings.Cut(c.Title, " "); where == "" && startsWithPlace.Get().MatchString(place) {
		where = place
	}
	parts := strings.SplitN(where, ".", 3)
	return strings.Join(parts[:min(len(parts), 2)], ".")
}

// generalPlace returns a violation's place in the exchange with "*" for indexes and keys: body.items.*.name. The place
// of an undeclared property is its object.
func generalPlace(v *checks.Violation) string {
	about := v.About
	if f := v.Finding; f != nil && (f.Code == "additional-properties" || f.Code == "unevaluated-properties") {
		about = about[:max(0, strings.LastIndexByte(about, '.'))]
	}
	return general(about)
}

// general returns a place with "*" for indexes and keys.
func general(about string) string {
	return strings.ReplaceAll(checks.General(strings.ReplaceAll(about, ".", "/")), "/", ".")
}

// widespread identifies a cause that most operations may show; "" for others.
func (f *fault) widespread() string {
	if f.trial == "" || f.shared != "" {
		return ""
	}
	return f.id.check + "\nanywhere\n" + f.trial + "\n" + f.id.cause
}

// repeated identifies a cause that operations may repeat in their own words: a server error whose answers say nothing,
// by the kinds of requests that get it, or what is wrong with a parameter of one name. It is "" for others.
func (f *fault) repeated() string {
	part, _, _ := strings.Cut(f.About, ".")
	switch {
	case f.shared != "":
		return ""
	case 0 < len(f.kinds) && len(f.kinds) <= maxKinds:
		return strings.Join(append([]string{f.id.check, "kinds", f.id.cause}, f.kinds...), "\n")
	case slices.Contains([]string{exchange.InQuery, exchange.InPath, exchange.InHeader, exchange.InCookie}, part):
		return f.id.check + "\nparameter\n" + f.id.cause
	}
	return ""
}

// kindOf returns which part of a request is varied, and in what way, if the request gets a server error whose answer
// says nothing, although the operation accepts others; "" for other violations.
func kindOf(x *checks.Exchange, v *checks.Violation) string {
	where := variedBy(x.Case)
	if v.Check.ID != "server-error" || v.Across != "" || !x.Plain || where == "" {
		return ""
	}
	part, _, _ := strings.Cut(where, ".")
	if f := x.Case.Violation; f != nil {
		return part + " " + f.Code
	}
	words, _, _ := strings.Cut(strings.TrimPrefix(x.Case.Title, where+" "), ":")
	return part + " " + words
}

// isMadeBy reports whether a conforming request made a property of the item in its answer what it is: it has the
// property, or creates the item.
func isMadeBy(x *checks.Exchange, property string) bool {
	if x.Case.Expected != cases.Accepted {
		return false
	}
	for tokens := range jsonvalue.Walk(x.Case.Value) {
		if slices.Contains(tokens, property) {
			return true
		}
	}
	return x.Request.Method == "POST" && x.Case.Value != nil && !strings.Contains(x.Case.Operation.Path, "{")
}

// violatedConstraint is a constraint of a property. where is the constraint's place in the document, or the first
// segment of the operation's path: creations and reads may have schemas of their own.
type violatedConstraint struct{ property, code, where string }

// violatedConstraints returns the constraint that a finding concerns, by its place and by the operation's path.
func violatedConstraints(o *spec.Operation, f *exchange.Finding) [2]violatedConstraint {
	property := f.Name
	tokens := strings.Split(f.Pointer, "/")
	for i := len(tokens) - 1; i > 0; i-- {
		if strings.Trim(tokens[i], "0123456789") != "" {
			property = tokens[i]
			break
		}
	}
	segment, _, _ := strings.Cut(strings.TrimPrefix(o.Path, "/"), "/")
	return [2]violatedConstraint{
		{property, f.Code, f.Document.File + "#" + f.Document.Pointer}, {property, f.Code, "/" + segment},
	}
}

// refusal is a violated constraint that an operation refuses.
type refusal struct {
	violatedConstraint
	operation string
}

// size orders the exchanges that show a fault: the report shows the smallest, whenever it was sent. It is
// the size of the case, because what was sent may have keys that differ from run to run.
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

// isDecided reports whether a response shows how bad credentials were judged: others are refused for another reason.
func isDecided(x *checks.Exchange, check string) bool {
	return check != credentialsIgnored || x.Succeeded() || x.Status() == 401 || x.Status() == 403
}

// trialOf names a way in which most operations are tried, so that a fault that
// most of them show is one finding; "" for requests that concern one operation.
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
