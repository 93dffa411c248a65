package wire

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"syscall"
	"time"
)

// The codes of faults.
const (
	Unreachable = "unreachable"    // no connection
	Certificate = "certificate"    // TLS could not be agreed on
	Timeout     = "timeout"        // the answer was not there, or not whole, in time
	Stopped     = "stopped"        // the run was ended while the request was on its way
	NoAnswer    = "no-answer"      // the connection was closed without one
	Garbage     = "malformed-http" // the bytes are not an HTTP answer
	Truncated   = "truncated-body" // the body is shorter than it was said to be
	TooLarge    = "body-too-large" // the body does not end within the limit
	ExtraBytes  = "extra-bytes"    // more came than the answer has
)

// Fault is what was wrong with an answer as a message.
type Fault struct {
	Code    string
	Message string
}

func newFault(code, format string, args ...any) *Fault {
	return &Fault{Code: code, Message: fmt.Sprintf(format, args...)}
}

// timeout is why the context of a slow request ends.
type timeout struct{ time.Duration }

func (t *timeout) Error() string { return "no whole answer within " + t.String() }

// interrupted returns the fault of a request that a timeout or the end of the run
// cut short; nil for other errors.
func interrupted(ctx context.Context, err error) *Fault {
	if errors.Is(err, os.ErrDeadlineExceeded) || errors.Is(err, context.DeadlineExceeded) { // of sockets and dialers
		<-ctx.Done() // has the same deadline
	}
	var slow *timeout
	switch {
	case errors.As(context.Cause(ctx), &slow):
		return newFault(Timeout, "%s", slow.Error())
	case ctx.Err() != nil:
		return newFault(Stopped, "the run was stopped")
	case isTimeout(err):
		return newFault(Timeout, "no connection within the time that the system allows")
	}
	return nil
}

func isTimeout(err error) bool {
	var timeout net.Error
	return errors.As(err, &timeout) && timeout.Timeout()
}

func connectFault(ctx context.Context, err error) *Fault {
	var verification *tls.CertificateVerificationError
	var record tls.RecordHeaderError
	switch {
	case errors.As(err, &verification):
		return newFault(Certificate, "%v; Options.Insecure accepts any certificate", err)
	case errors.As(err, &record):
		return newFault(Certificate, "the backend does not speak TLS: %v", err)
	}
	if fault := interrupted(ctx, err); fault != nil {
		return fault
	}
	return newFault(Unreachable, "%v", err)
}

func noAnswerFault(ctx context.Context, err error) *Fault {
	if fault := interrupted(ctx, err); fault != nil {
		return fault
	}
	switch {
	case errors.Is(err, io.EOF):
		return newFault(NoAnswer, "the connection was closed without an answer")
	case errors.Is(err, syscall.ECONNRESET):
		return newFault(NoAnswer, "the connection was reset without an answer")
	}
	return newFault(NoAnswer, "no answer: %v", err)
}

// maxQuoted is how many bytes of what came a message quotes.
const maxQuoted = 200

func headFault(ctx context.Context, err error, from *limiter) *Fault {
	read := maxHead - from.left
	if fault := interrupted(ctx, err); fault != nil {
		fault.Message += fmt.Sprintf("; %d bytes of its head had come", read)
		return fault
	}
	text := err.Error()
	switch {
	case from.left <= 0:
		return newFault(Garbage, "the head of the answer does not end within %d bytes", maxHead)
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF), errors.Is(err, syscall.ECONNRESET),
		from.ended && strings.Contains(text, `"HTTP/`):
		return newFault(NoAnswer, "the connection was closed in the middle of the answer's head, after %d bytes", read)
	case strings.Contains(text, `"\x15\x03`):
		return newFault(Garbage, "not an HTTP answer but TLS: the URL should begin with https")
	case len(text) > maxQuoted:
		text = text[:maxQuoted] + "…"
	}
	return newFault(Garbage, "not an HTTP answer: %s", text)
}

func bodyFault(ctx context.Context, err error, read int) *Fault {
	if fault := interrupted(ctx, err); fault != nil {
		fault.Message += fmt.Sprintf("; %d bytes of the body had come", read)
		return fault
	}
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, syscall.ECONNRESET) {
		return newFault(Truncated, "the connection was closed in the middle of the body, after %d bytes", read)
	}
	return newFault(Garbage, "the body cannot be read after %d bytes: %v", read, err)
}

func extraFault(method string, answer *http.Response, n int) *Fault {
	switch {
	case method == "HEAD":
		return newFault(ExtraBytes, "the answer to a HEAD has a body; %d bytes of it had come", n)
	case isBodiless(method, answer):
		return newFault(ExtraBytes, "a %d has a body; %d bytes of it had come", answer.StatusCode, n)
	}
	return newFault(ExtraBytes, "%d bytes follow the end of the answer", n)
}
