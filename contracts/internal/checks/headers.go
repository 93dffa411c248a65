package checks

import (
	"fmt"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/spec"
)

// requiredByStatus are fields that HTTP requires with a status (RFC 9110 sections 15.5.2 and 15.5.6).
var requiredByStatus = map[int]string{401: "WWW-Authenticate", 405: "Allow"}

// headersValid checks declared fields. Only those that the document or HTTP requires must be present.
func headersValid(in *input) []Violation {
	if in.documented == nil || in.recorded.HeadUnknown {
		return nil
	}
	all := in.part(exchange.InHeader)
	for _, p := range in.documented.Headers {
		if p.Required || !strings.EqualFold(p.Name, requiredByStatus[in.Status()]) {
			continue
		}
		if _, sent := in.Response.Header.Get(p.Name); !sent {
			all = append(all, at(p.Place, "header."+p.Name, fmt.Sprint(in.Status()/100, " missing ", strings.ToLower(p.Name)),
				"%s is declared, which a %d must have, and is missing", p.Name, in.Status())...)
		}
	}
	return all
}

func challengePresent(in *input) []Violation {
	const field = "WWW-Authenticate"
	if in.Status() != 401 {
		return nil
	}
	if in.documented != nil && slices.ContainsFunc(in.documented.Headers,
		func(p *spec.Parameter) bool { return strings.EqualFold(p.Name, field) }) {
		return nil // headersValid checks it
	}
	if _, sent := in.Response.Header.Get(field); sent {
		return nil
	}
	return in.violation("header."+field, "challenge", "a 401 without %s", field)
}
