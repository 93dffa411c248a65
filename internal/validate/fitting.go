package validate

import (
	"cmp"
	"slices"

	"github.com/coldframe/coldframe/internal/decode"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/spec"
)

// fit measures how badly a request fits an operation. The first number that differs decides; smaller fits better.
type fit struct {
	others  int // values, or a media type, that the operation does not accept
	faults  int // all findings
	lacking int // the negative number of required parts that are present
	unknown int // undocumented query parameters
}

// Fitting returns the operations that a request fits best, in the given order. They share a method and a path, so
// required parts of query, header and body decide. If nothing decides, the first one should answer.
func Fitting(r *exchange.Request, path []string, all []*Validator) []*spec.Operation {
	var best fit
	var fitting []*spec.Operation
	for _, v := range all {
		if fitting != nil && r.Work.Over() {
			break
		}
		f := v.fit(r, path)
		order := cmp.Or(cmp.Compare(f.others, best.others), cmp.Compare(f.faults, best.faults),
			cmp.Compare(f.lacking, best.lacking), cmp.Compare(f.unknown, best.unknown))
		if fitting == nil || order < 0 {
			best, fitting = f, nil
		}
		if fitting == nil || order == 0 {
			fitting = append(fitting, v.operation)
		}
	}
	return fitting
}

// otherCodes are codes of findings that suggest another operation: the request has a different value, rather than a
// missing one.
var otherCodes = []string{"enum", "const", decode.CodeMediaType}

func (v *Validator) fit(r *exchange.Request, path []string) fit {
	values, findings := v.Request(r, path)
	f := fit{faults: len(findings), unknown: len(v.Unknown(r))}
	for _, finding := range findings {
		if slices.Contains(otherCodes, finding.Code) {
			f.others++
		}
	}
	for _, p := range v.operation.Parameters {
		if p.Required && p.In != exchange.InPath {
			f.lacking--
		}
	}
	if values.HasBody && values.MediaType.Schema != nil {
		f.lacking -= 1 + len(values.MediaType.Schema.Requires())
	}
	return f
}
