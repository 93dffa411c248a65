package contracts

import (
	"path"
	"path/filepath"
	"strings"

	"github.com/coldframe/coldframe/contracts/internal/cases"
	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/spec"
)

// sharedBy gives what makes a verdict one finding with those on other
// operations: the same check and the same fault at a place of the document that
// is no operation's own, such as a response or a schema that several refer to.
// It is "" for a verdict that is about its operation alone.
func sharedBy(x *checks.Exchange, v *checks.Violation) string {
	own, at := x.Case.Operation.Place, v.Place
	if v.Check.Stateful() || x.Case.Expected == cases.NotAllowed {
		return ""
	}
	file := ""
	if at.File != own.File {
		file = path.Base(filepath.ToSlash(at.File))
	} else if at.Pointer == "" || at.Pointer == own.Pointer || strings.HasPrefix(at.Pointer, own.Pointer+"/") {
		return ""
	}
	what := v.Shared
	if what == "" {
		what = v.Cause
	}
	return strings.Join([]string{v.Check.ID, file + "#" + at.Pointer, what}, "\n")
}

// trial is a way in which operations are tried, so that a fault which most of
// them show is none of theirs; "" for requests that tell of one operation.
func trial(x *checks.Exchange, check string) string {
	switch {
	case x.Case.Expected == cases.NotAllowed:
		return "method"
	case check == "valid-refused" && x.Case.Varied == cases.OfCredentials:
		return "enough: " + x.Case.Title
	case x.Case.Expected != cases.Unauthorized:
		return ""
	case check == "credentials-ignored":
		return "credentials: " + x.Case.Title
	}
	return "credentials"
}

// fewest is how many operations have to show a fault that is taken for that of
// all; they are more than half of those that were tried.
const fewest = 3

// fact is a property that breaks a constraint. Where is the place in the document
// of the constraint, or the first segment of the path of those that make and show
// items, which may have schemas of their own.
type fact struct{ property, code, where string }

func factsOf(o *spec.Operation, f *exchange.Finding) [2]fact {
	property := f.Name
	tokens := strings.Split(f.Pointer, "/")
	for i := len(tokens) - 1; i > 0; i-- {
		if strings.Trim(tokens[i], "0123456789") != "" {
			property = tokens[i]
			break
		}
	}
	segment, _, _ := strings.Cut(strings.TrimPrefix(o.Path, "/"), "/")
	return [2]fact{{property, f.Code, f.Document.File + "#" + f.Document.Pointer}, {property, f.Code, "/" + segment}}
}

// refusal is a fact that an operation refuses.
type refusal struct {
	fact
	operation string
}
