package checks

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/coldframe/coldframe/contracts/internal/cases"
	"github.com/coldframe/coldframe/internal/decode"
	"github.com/coldframe/coldframe/internal/spec"
)

// alike are the statuses that say the same of a request as one does. A document
// that has one of them says how the operation refuses such requests; where it has
// none, it leaves that open.
var alike = map[int][]int{
	206: {206},
	304: {304},
	400: {400, 422},
	401: {401, 403},
	403: {401, 403},
	404: {404, 410},
	410: {404, 410},
	406: {406},
	412: {412},
	413: {413},
	414: {414},
	415: {415},
	416: {416},
	422: {400, 422},
	429: {429},
	431: {431},
}

// unforeseen reports whether the answer is a sensible refusal of a kind for
// which the document has no status at all.
func (d *judged) unforeseen() bool {
	if !slices.Contains(d.sensible(), d.Status()) {
		return false
	}
	return !slices.ContainsFunc(alike[d.Status()], func(s int) bool { return documents(d.operation, s) })
}

// sensible gives the statuses that refuse what a case asks for. What a path names
// may not be there, or not any more.
func (d *judged) sensible() []int {
	c, all := d.Case, []int{429}
	if d.routes.vanishing {
		all = append(all, 404, 410)
	}
	for name, statuses := range asked {
		if _, sent := d.Request.Header.Get(name); sent {
			all = append(all, statuses...)
		}
	}
	if len(d.Request.Path)+len(d.Request.Query) > longTarget {
		all = append(all, 414, 431)
	}
	switch c.Expected {
	case cases.Unauthorized:
		all = append(all, 401, 403)
	case cases.Anything:
		all = append(all, 400, 413, 415, 422)
	case cases.Refused:
		all = append(all, 400, 422)
		if c.Violation == nil {
			break
		}
		switch c.Violation.Code {
		case decode.CodeMediaType, decode.CodeContentType, decode.CodeCharset, decode.CodeContentEncoding, decode.CodeMissingBody:
			all = append(all, 415)
		case decode.CodeBodyTooLarge:
			all = append(all, 413)
		}
	}
	return all
}

// asked are the statuses that header fields of requests ask for (RFC 9110
// sections 12.5.1, 13 and 14.2), which clients such as browsers add by
// themselves.
var asked = map[string][]int{
	"Accept": {406}, "If-None-Match": {304, 412}, "If-Modified-Since": {304}, "If-Match": {412}, "If-Unmodified-Since": {412}, "Range": {206, 416},
}

// longTarget is how many bytes of a target every server takes.
const longTarget = 2000

// documents reports whether an operation documents a status by its number.
func documents(o *spec.Operation, status int) bool {
	return slices.ContainsFunc(o.Responses, func(r *spec.Response) bool { return r.Status == strconv.Itoa(status) })
}

func refusalDocumented(d *judged) []Violation {
	if d.Response == nil || d.response != nil || d.Case.Expected == cases.NotAllowed || !d.unforeseen() {
		return nil
	}
	return one(Violation{Message: fmt.Sprintf("status %d is not documented, nor is another that refuses such a request", d.Status()), Place: d.operation.Place, Cause: fmt.Sprint(d.Status())})
}
