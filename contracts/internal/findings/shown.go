package findings

import (
	"fmt"
	"slices"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/report"
)

const (
	maxShortBody  = 512     // bytes of a body, once the findings show enough
	maxShortCurl  = 4 << 10 // bytes of a command line, likewise
	maxShortField = 16      // fields of a response, likewise, each with at most maxShortBody bytes
)

// bytesOf returns how much of a report an exchange takes, in bytes.
func bytesOf(s *report.Sent) int {
	n := len(s.Curl) + len(s.Fault)
	if s.Request != nil {
		n += len(s.Request.Path) + len(s.Request.Query) + len(s.Request.Body) + fieldBytes(s.Request.Header)
	}
	if s.Response != nil {
		n += len(s.Response.Body) + fieldBytes(s.Response.Header)
	}
	return n
}

func fieldBytes(h exchange.Header) (n int) {
	for _, f := range h {
		n += len(f.Name) + len(f.Value)
	}
	return n
}

// shorten leaves the beginnings of an exchange, and says how much is left out.
func shorten(s *report.Sent) {
	if r := s.Request; r != nil && len(r.Body) > maxShortBody {
		short := *r
		short.Body = r.Body[:maxShortBody:maxShortBody]
		s.Request = &short
	}
	if n := len(s.Curl); n > maxShortCurl {
		s.Curl = fmt.Sprintf("# the command line has %d bytes, which is left out: the findings before it show enough", n)
	}
	if r := s.Response; r != nil {
		s.Response = exchange.Beginning(r, maxShortBody)
		all := s.Response.Header
		shown := slices.Clone(all[:min(len(all), maxShortField)])
		s.FieldsLeftOut += len(all) - len(shown)
		s.FieldBytesLeftOut += fieldBytes(all) - fieldBytes(shown)
		s.Response.Header = shown
		for i, f := range shown {
			if len(f.Value) > maxShortBody {
				s.FieldBytesLeftOut += len(f.Value) - maxShortBody
				shown[i].Value = f.Value[:maxShortBody] + "…"
			}
		}
	}
}
