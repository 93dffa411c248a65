package findings

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"path"
	"path/filepath"
	"strings"

	"github.com/coldframe/coldframe/contracts/internal/cases"
	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/spec"
)

const credentialsIgnored = "credentials-ignored"

// faultID identifies a fault of one operation: violations with the same are one.
type faultID struct{ check, operation, cause string }

func (a faultID) compare(b faultID) int {
	return cmp.Or(cmp.Compare(a.check, b.check), cmp.Compare(a.operation, b.operation), cmp.Compare(a.cause, b.cause))
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
	sentTo  []string // the operations of the exchanges that show it
	shared  string   // what it has in common with faults of other operations; "" for none
	pattern string   // what it has in common with faults of other properties; "" for none
	trial   string   // see trialOf; "" where it was seen otherwise as well
	// cause is the first wrongly accepted request that explains it. unexplained says
	// that it was seen without one.
	cause       *faultID
	unexplained bool
	// shows are the violated constraints of a property in a successful answer.
	shows [2]constraint
}

func newFault(id faultID, x *checks.Exchange, v *checks.Violation) *fault {
	return &fault{id: id, pattern: patternOf(id, v), shared: sharedBy(x, v), trial: trialOf(x, id.check)}
}

// relate notes what may explain a violation: a wrongly accepted request in the
// same exchange, or the property that the answer shows.
func (f *fault) relate(x *checks.Exchange, v *checks.Violation, cause *faultID) {
	if trialOf(x, v.Check.ID) != f.trial {
		f.trial = ""
	}
	switch {
	case cause == nil || v.Check.Relation != checks.Consequence:
		f.unexplained = true
	case f.cause == nil || cause.compare(*f.cause) < 0:
		f.cause = cause
	}
	f.shared = min(f.shared, sharedBy(x, v)) // the place may differ for the same cause
	if v.Finding != nil && v.Check.ID == "body" && x.Succeeded() {
		shows := constraintsOf(x.Case.Operation, v.Finding)
		if f.shows[0].property == "" || shows[0].where < f.shows[0].where {
			f.shows = shows
		}
	}
}

// sharedBy gives what makes a violation one finding with those of other
// operations: the same check and the same fault at a place of the document outside
// the operation, such as a response or a schema that several refer to. It is "" for
// a violation that is about its operation alone.
func sharedBy(x *checks.Exchange, v *checks.Violation) string {
	operation, at := x.Case.Operation.Place, v.Place
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

// widespread identifies a cause that most operations may show; "" for others.
func (f *fault) widespread() string {
	if f.trial == "" || f.shared != "" {
		return ""
	}
	return f.id.check + "\nanywhere\n" + f.trial + "\n" + f.id.cause
}

// fingerprints gives those by which a baseline may know the fault.
func (f *fault) fingerprints() []string {
	all := []string{f.id.fingerprint()}
	if f.shared != "" {
		all = append(all, fingerprint(f.shared))
	}
	if w := f.widespread(); w != "" {
		all = append(all, fingerprint(w))
	}
	return all
}

// constraint is a property that violates a constraint. where is the constraint's
// place in the document, or the first segment of the operation's path: creations
// and reads may have schemas of their own.
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

// size orders the exchanges that show a fault: the report shows the smallest,
// whenever it was sent. It is that of the case, as what was sent may have keys
// that differ from run to run.
type size struct {
	requests, bytes int
	text            string
}

func sizeOf(x *checks.Exchange, before []*checks.Exchange) size {
	r := x.Case.Request
	return size{len(before), len(r.Path) + len(r.Query) + len(r.Body), r.Path + "?" + r.Query + " " + x.Case.Title}
}

func (a size) compare(b size) int {
	return cmp.Or(a.requests-b.requests, a.bytes-b.bytes, cmp.Compare(a.text, b.text))
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
