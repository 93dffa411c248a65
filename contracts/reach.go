package contracts

import (
	"context"
	"fmt"
	"strings"

	"github.com/coldframe/coldframe/contracts/internal/cases"
	"github.com/coldframe/coldframe/contracts/internal/wire"
	"github.com/coldframe/coldframe/internal/exchange"
)

// reach finds out whether there is a backend, and where: a URL without a path is
// tried with the base path of the document's servers as well.
func (r *run) reach(ctx context.Context) error {
	root := &exchange.Request{Method: "GET", Path: "/"}
	a := r.client.Send(ctx, root)
	if a.Response == nil && a.Fault != nil && (a.Fault.Code == wire.Unreachable || a.Fault.Code == wire.Certificate || a.Fault.Code == wire.Garbage) {
		return &AccessError{fmt.Sprintf("%s cannot be tested: %s", r.options.URL, a.Fault.Message)}
	}
	if a.Response != nil && a.Response.Status == 400 && wantsTLS(string(a.Response.Body)) {
		return &AccessError{fmt.Sprintf("%s cannot be tested: the backend speaks TLS there, so the URL should begin with https", r.options.URL)}
	}
	if a.Response != nil {
		r.health.knock = root
	}
	if r.client.Prefix() != "" {
		return nil
	}
	for _, s := range r.subjects {
		if s.Method != "GET" || strings.Contains(s.Path, "{") {
			continue
		}
		c, err := s.maker.Plain(0, nil)
		if err != nil {
			continue
		}
		if found, ok := r.answers(ctx, c, ""); !ok || found {
			return nil
		}
		for _, base := range s.BasePaths {
			if found, ok := r.answers(ctx, c, base); ok && found {
				r.client.SetPrefix(base)
				return nil
			}
		}
		return nil
	}
	return nil
}

// wantsTLS reports whether a server has said in the words of Go or nginx that it
// speaks TLS only.
func wantsTLS(body string) bool {
	return strings.Contains(body, "HTTP request to an HTTPS server") || strings.Contains(body, "plain HTTP request was sent to HTTPS port")
}

// answers reports whether a request below a base path gets something else than
// a 404; ok says that there was an answer.
func (r *run) answers(ctx context.Context, c *cases.Case, base string) (found, ok bool) {
	request := *c.Request
	request.Path = base + request.Path
	r.keyring.apply(&request, c.Credentials)
	a := r.client.Send(ctx, &request)
	if a.Response == nil {
		return false, false
	}
	return a.Response.Status != 404, true
}

// admitted says what is wrong where a backend refuses the credentials of all
// plain requests, so that nothing could be tested.
func (r *run) admitted() error {
	r.tally.mu.Lock()
	defer r.tally.mu.Unlock()
	refused, all := 0, 0
	for _, o := range r.tally.operations {
		for status, n := range o.Statuses {
			if all += n; status == 401 || status == 403 {
				refused += n
			}
		}
	}
	if all == 0 || refused < all {
		return nil
	}
	return &AccessError{fmt.Sprintf("%s answers every request with 401 or 403: give credentials that it takes with --token, --user or --api-key NAME=VALUE", r.options.URL)}
}
