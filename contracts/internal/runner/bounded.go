package runner

import (
	"fmt"

	"github.com/coldframe/coldframe/contracts/internal/wire"
	"github.com/coldframe/coldframe/internal/bodies"
	"github.com/coldframe/coldframe/internal/decode"
	"github.com/coldframe/coldframe/internal/exchange"
)

const (
	// maxPlainBody is the largest body of a response that is checked, in bytes, after its encodings are undone.
	maxPlainBody = 10 << 20
	// maxBodyValues is how many values a body may have: one for 20 bytes of the largest, as in a document. Each takes
	// up to 400 bytes while the response is checked.
	maxBodyValues = maxPlainBody / 20
	// maxFaultyBody is how many bytes are kept of a body that is not checked.
	maxFaultyBody = 64 << 10
)

// bounded returns an answer whose checks take a bounded amount of memory: a body with too many bytes or values is a
// fault, and only the beginning of a faulty body is kept.
func bounded(a wire.Result) wire.Result {
	if a.Response == nil {
		return a
	}
	if a.Fault == nil {
		a.Fault = tooMuch(a)
	}
	if a.Fault != nil && len(a.Response.Body) > maxFaultyBody {
		a.Response = exchange.Beginning(a.Response, maxFaultyBody)
	}
	return a
}

// tooMuch returns the fault of a response whose body is too much to check; nil for others.
func tooMuch(a wire.Result) *wire.Fault {
	body := a.Response.Body
	if encoding, ok := a.Response.Header.Get("Content-Encoding"); ok && len(body) > 0 {
		plain, finding := decode.Decompress(encoding, body, maxPlainBody, new(bodies.Share))
		if finding != nil && finding.Code == decode.CodeBodyTooLarge {
			return &wire.Fault{Code: wire.TooLarge, Message: finding.Message + "; it was not checked"}
		}
		body = plain
	}
	if bodies.Values(body) > maxBodyValues {
		return &wire.Fault{Code: wire.TooLarge,
			Message: fmt.Sprintf("the body has more than %d values; it was not checked", maxBodyValues)}
	}
	return nil
}
