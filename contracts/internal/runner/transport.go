package runner

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/coldframe/coldframe/contracts/internal/cases"
	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/contracts/internal/credentials"
	"github.com/coldframe/coldframe/contracts/internal/wire"
	"github.com/coldframe/coldframe/internal/exchange"
)

// Transport sends complete requests with their credentials, and repeats those
// that the backend wants later or with a new token.
type Transport struct {
	Client  *wire.Client
	Keyring *credentials.Keyring
	Budget  *Budget
	Monitor *Monitor
	Clock   Clock
}

// maxAttempts is how often one request is sent.
const maxAttempts = 6

// result is what became of a request.
type result uint8

const (
	answered result = iota // there is an answer, or a fault, to check
	lost                   // the backend was down
	ended                  // the run is over
)

// send sends a request, as often as it takes, and sets the request and the answer
// of x.
func (t *Transport) send(ctx context.Context, x *checks.Exchange, bare exchange.Request) result {
	for attempt, absent := 0, 0; ; {
		outages := t.Monitor.past()
		if !t.Budget.Take(ctx) {
			return ended
		}
		r := bare
		r.Header = append(make(exchange.Header, 0, len(bare.Header)+2), bare.Header...)
		token := t.Keyring.Apply(&r, x.Case.Credentials)
		x.Request, x.Answer = &r, t.Client.Send(ctx, &r)
		switch {
		case x.Fault != nil && x.Fault.Code == wire.Stopped:
			return ended
		case x.Fault != nil && x.Fault.Code == wire.Unreachable:
			t.Budget.Refund()
			if t.Monitor.isOutage(ctx, x, outages); absent == maxAttempts {
				return ended
			}
			absent++
		case unanswered(x) && t.Monitor.isOutage(ctx, x, outages):
			return lost
		default:
			t.Monitor.note(x)
			if attempt++; attempt == maxAttempts || !t.again(ctx, x, token, attempt) {
				return answered
			}
		}
	}
}

// again reports whether to repeat a request: after the time that a 429 asks for,
// or with a new token.
func (t *Transport) again(ctx context.Context, x *checks.Exchange, token, attempt int) bool {
	switch x.Status() {
	case 401:
		if x.Case.Expected == cases.Unauthorized || attempt > 1 {
			return false
		}
		renewed, err := t.Keyring.Renew(ctx, token)
		return err == nil && renewed
	case 429:
		return t.Budget.Hold(ctx, retryAfter(x.Response.Header, attempt, t.Clock.Now()))
	}
	return false
}

// maxWait bounds the time that Retry-After can ask for.
const maxWait = time.Minute

// retryAfter gives how long to wait: as Retry-After says (RFC 9110 section
// 10.2.3), else a quarter of a second, doubled each time.
func retryAfter(h exchange.Header, attempt int, now time.Time) time.Duration {
	text, _ := h.Get("Retry-After")
	text = strings.TrimSpace(text)
	if seconds, err := strconv.ParseUint(text, 10, 32); err == nil {
		return min(time.Duration(seconds)*time.Second, maxWait)
	}
	if at, err := time.Parse(time.RFC1123, text); err == nil {
		return min(max(at.Sub(now), 0), maxWait)
	}
	return 250 * time.Millisecond << (attempt - 1)
}

// Locate finds out whether there is a backend, and where: a URL without a path is
// tried with the base path of the document's servers as well.
func (t *Transport) Locate(ctx context.Context, targets *Targets) error {
	root := &exchange.Request{Method: "GET", Path: "/"}
	a := t.Client.Send(ctx, root)
	switch {
	case a.Response == nil && (a.Fault.Code == wire.Unreachable || a.Fault.Code == wire.Certificate ||
		a.Fault.Code == wire.Garbage):
		return errors.New(a.Fault.Message)
	case a.Response != nil && a.Response.Status == 400 && wantsTLS(string(a.Response.Body)):
		return errors.New("the backend speaks TLS there, so the URL should begin with https")
	case a.Response != nil:
		t.Monitor.probe = root
	}
	if t.Client.Prefix() == "" {
		t.Client.SetPrefix(t.basePath(ctx, targets))
	}
	return nil
}

// basePath gives the base path at which the first GET without variables is found.
func (t *Transport) basePath(ctx context.Context, targets *Targets) string {
	for _, target := range targets.All {
		if target.Method != "GET" || strings.Contains(target.Path, "{") {
			continue
		}
		c, err := target.builder.Plain(0, nil)
		if err != nil {
			continue
		}
		for _, base := range append([]string{""}, target.BasePaths...) {
			r := *c.Request
			r.Path = base + r.Path
			t.Keyring.Apply(&r, c.Credentials)
			switch a := t.Client.Send(ctx, &r); {
			case a.Response == nil && base == "":
				return ""
			case a.Response != nil && a.Response.Status != 404:
				return base
			}
		}
		return ""
	}
	return ""
}

// wantsTLS reports whether a server says in the words of Go or nginx that it
// speaks TLS only.
func wantsTLS(body string) bool {
	return strings.Contains(body, "HTTP request to an HTTPS server") ||
		strings.Contains(body, "plain HTTP request was sent to HTTPS port")
}
