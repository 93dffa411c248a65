package validate

import (
	"cmp"
	"slices"

	"github.com/coldframe/coldframe/internal/decode"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/spec"
)

// fit says how badly a request fits an operation. The first number that differs decides, the smaller one fits better.
type fit struct {
	others  int // values that are another one than the operation takes, and a media type that it does not take
	faults  int // all findings
	lacking int // negative: how much is required and there
	unknown int // parameters of the query that are not documented
}

// Fitting returns those of several operations that a request fits best, in their order. A method and a path do not tell
// them apart: what is required of query, header and body does. Where nothing does, the first one is to answer.
func Fitting(r *exchange.Request, path []string, all []*Operation) []*spec.Operation {
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

// otherCodes are findings that tell of another operation: the request says something else, rather than too little.
var otherCodes = []string{"enum", "const", decode.CodeMediaType}

func (v *Operation) fit(r *exchange.Request, path []string) fit {
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
