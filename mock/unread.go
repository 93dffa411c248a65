package mock

import (
	"net/http"

	"github.com/coldframe/coldframe/internal/decode"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/route"
)

// unread answers a request of which not all was read: r is what is known of
// it, status what the reader says.
func (s *Server) unread(r *exchange.Request, status int) *visit {
	began := s.now()
	x := &visit{Server: s, in: s.current.Load(), request: r}
	switch status {
	case http.StatusRequestEntityTooLarge:
		f := exchange.Finding{Code: decode.CodeBodyTooLarge, Message: "body is over " + sizeText(s.options.MaxBody), In: exchange.InBody}
		if x.find() == route.Found {
			x.refuse(tooLarge, []exchange.Finding{f})
		} else {
			x.fail(status, f)
		}
	case http.StatusRequestHeaderFieldsTooLarge:
		x.fail(status, exchange.Finding{Code: "header-too-large", Message: "the fields are over " + sizeText(maxHeader), In: exchange.InHeader})
	case http.StatusRequestTimeout:
		x.fail(status, exchange.Finding{Code: "request-timeout", Message: "not all of it came within " + ioTimeout.String(), In: exchange.InRequest})
	default: // the reader's error would quote the request with its credentials
		x.fail(status, exchange.Finding{Code: "unreadable-request", Message: "not a request of HTTP/1.1 (RFC 9112)", In: exchange.InRequest})
	}
	x.validateResponse()
	x.finish()
	s.log.exchange(x, began)
	x.record(began)
	return x
}
