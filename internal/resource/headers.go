package resource

import (
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
)

// Headers are the header fields that an operation declares and that state gives
// a value or a meaning; each is the name as the document writes it, "" where it
// does not declare it.
type Headers struct {
	IfMatch, IfNoneMatch, IfModifiedSince, IfUnmodifiedSince, IdempotencyKey string // of the request
	ETag, Location, LastModified                                             string // of the answer
}

func headersOf(o *operation) Headers {
	var h Headers
	for _, p := range o.Parameters {
		if p.In != exchange.InHeader {
			continue
		}
		switch strings.ToLower(p.Name) {
		case "if-match":
			h.IfMatch = p.Name
		case "if-none-match":
			h.IfNoneMatch = p.Name
		case "if-modified-since":
			h.IfModifiedSince = p.Name
		case "if-unmodified-since":
			h.IfUnmodifiedSince = p.Name
		case "idempotency-key", "x-idempotency-key", "idempotencykey", "paypal-request-id", "x-request-idempotency-key":
			h.IdempotencyKey = p.Name
		}
	}
	if o.binding.Success == nil {
		return h
	}
	for _, p := range o.binding.Success.Headers {
		switch strings.ToLower(p.Name) {
		case "etag":
			h.ETag = p.Name
		case "location":
			h.Location = p.Name
		case "last-modified":
			h.LastModified = p.Name
		}
	}
	return h
}
