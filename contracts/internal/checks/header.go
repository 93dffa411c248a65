package checks

import (
	"fmt"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/spec"
)

type (
	parameter   = spec.Parameter
	requirement = spec.Requirement
)

// headersValid judges declared fields. One that is not required may be left
// out, but for those that HTTP asks for.
func headersValid(d *judged) []Violation {
	if d.response == nil || d.Recorded != nil && d.Recorded.HeadUnknown {
		return nil
	}
	verdicts := d.of(exchange.InHeader)
	for _, p := range d.response.Headers {
		if p.Required || !needed(p.Name, d.Status()) {
			continue
		}
		if _, sent := d.Response.Header.Get(p.Name); !sent {
			verdicts = append(verdicts, Violation{
				Message: fmt.Sprintf("%s is declared, which a %d has to have, and is missing", p.Name, d.Status()), About: "header." + p.Name,
				Place: p.Place, Cause: fmt.Sprint(d.Status()/100, " missing ", strings.ToLower(p.Name)),
			})
		}
	}
	return verdicts
}

// needed reports whether HTTP asks for a field with a status: WWW-Authenticate
// (RFC 9110 section 15.5.2), Allow (15.5.6).
func needed(name string, status int) bool {
	switch status {
	case 401:
		return strings.EqualFold(name, "WWW-Authenticate")
	case 405:
		return strings.EqualFold(name, "Allow")
	}
	return false
}

func challenged(d *judged) []Violation {
	if d.Status() != 401 || d.declares("WWW-Authenticate") {
		return nil
	}
	if _, sent := d.Response.Header.Get("WWW-Authenticate"); sent {
		return nil
	}
	return one(Violation{Message: "a 401 without WWW-Authenticate", About: "header.WWW-Authenticate", Place: d.operation.Place, Cause: "challenge"})
}
