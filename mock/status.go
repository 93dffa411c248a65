package mock

import (
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/decode"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/spec"
)

// problem is a way in which a request cannot be answered as it should be.
type problem uint8

const (
	badCredentials problem = iota
	unparsable
	badParameter
	badBody
	badMediaType
	notAcceptable
	tooLarge
	noItem
	conflict
	stalePrecondition
	problems
)

// candidates are the statuses that answer a problem, best first. The first
// that the operation documents is taken; where it documents none, the first of
// the row.
var candidates = [problems][]string{
	badCredentials:    {"401", "403", "4XX", "default", "400"},
	unparsable:        {"400", "422", "4XX", "default"},
	badParameter:      {"400", "422", "4XX", "default"},
	badBody:           {"422", "400", "4XX", "default"},
	badMediaType:      {"415", "400", "422", "4XX", "default"},
	notAcceptable:     {"406", "400", "4XX", "default"},
	tooLarge:          {"413", "4XX", "default"},
	noItem:            {"404", "410", "4XX", "default", "400"},
	conflict:          {"409", "422", "400", "4XX", "default"},
	stalePrecondition: {"412", "422", "400", "4XX", "default"},
}

// refusal is the status that an operation answers a problem with, and what it
// documents for it; nil where it documents nothing.
func refusal(o *spec.Operation, p problem) (status int, documented *spec.Response) {
	for _, candidate := range candidates[p] {
		for _, r := range o.Responses {
			if strings.EqualFold(r.Status, candidate) {
				if code, err := strconv.Atoi(candidate); err == nil {
					return code, r
				}
				return firstCandidate(p), r
			}
		}
	}
	return firstCandidate(p), nil
}

func firstCandidate(p problem) int {
	status, _ := strconv.Atoi(candidates[p][0])
	return status
}

// problemOf gives the problem that a refused request's findings amount to:
// what keeps the body from being read comes before what it says.
func problemOf(findings []exchange.Finding) problem {
	worst := badBody
	rank := map[problem]int{badMediaType: 0, tooLarge: 1, unparsable: 2, badParameter: 3, badBody: 4}
	for _, f := range findings {
		if p := problemOfOne(f); rank[p] < rank[worst] {
			worst = p
		}
	}
	return worst
}

func problemOfOne(f exchange.Finding) problem {
	switch f.Code {
	case decode.CodeMediaType, decode.CodeContentType, decode.CodeCharset, decode.CodeContentEncoding:
		return badMediaType
	case decode.CodeBodyTooLarge:
		return tooLarge
	case decode.CodeMissingBody, decode.CodeCompression, decode.CodeForm, decode.CodeMultipart, decode.CodeXML,
		jsontext.CodeSyntax, jsontext.CodeTrailing, jsontext.CodeDuplicate, jsontext.CodeUTF8, jsontext.CodeDepth, jsontext.CodeNumberTooBig:
		if f.In == exchange.InBody {
			return unparsable
		}
	}
	if f.In == exchange.InBody {
		return badBody
	}
	return badParameter
}
