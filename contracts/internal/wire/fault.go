package wire

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/coldframe/coldframe/internal/exchange"
)

// The codes of faults.
const (
	Unreachable = "unreachable"    // no connection
	Certificate = "certificate"    // TLS could not be agreed on
	Timeout     = "timeout"        // the answer was not there, or not whole, in time
	Stopped     = "stopped"        // the run was ended while the request was on its way
	NoAnswer    = "no-answer"      // the connection was closed without one
	Garbage     = "malformed-http" // what came is no HTTP answer
	Truncated   = "truncated-body" // the body is shorter than it was said to be
	TooLarge    = "body-too-large" // the body does not end within the limit
	ExtraBytes  = "extra-bytes"    // more came than the answer has
)

// Fault is what was wrong with an answer as a message.
type Fault struct {
	Code    string
	Message string
}

func (f *Fault) Error() string { return f.Message }

// limit is why a request's context ends that took too long.
type limit struct{ time.Duration }

func (l *limit) Error() string { return "no whole answer within " + l.String() }

// early gives the fault of a wait that ended before the answer did; nil where
// it was something else that ended it.
func early(ctx context.Context, err error) *Fault {
	if errors.Is(err, os.ErrDeadlineExceeded) || errors.Is(err, context.DeadlineExceeded) { // sockets, and those who connect them
		<-ctx.Done() // has the same deadline
	}
	var own *limit
	switch {
	case errors.As(context.Cause(ctx), &own):
		return &Fault{Code: Timeout, Message: own.Error()}
	case ctx.Err() != nil:
		return &Fault{Code: Stopped, Message: "the run was stopped"}
	case timedOut(err):
		return &Fault{Code: Timeout, Message: "no connection within the time that the system allows"}
	}
	return nil
}

func timedOut(err error) bool {
	var timeout net.Error
	return errors.As(err, &timeout) && timeout.Timeout()
}

func connectFault(ctx context.Context, err error) *Fault {
	var unknown x509.UnknownAuthorityError
	var name x509.HostnameError
	var invalid x509.CertificateInvalidError
	var verification *tls.CertificateVerificationError
	var record tls.RecordHeaderError
	switch {
	case errors.As(err, &unknown), errors.As(err, &name), errors.As(err, &invalid), errors.As(err, &verification):
		return &Fault{Code: Certificate, Message: err.Error() + "; --insecure takes any certificate"}
	case errors.As(err, &record):
		return &Fault{Code: Certificate, Message: "the backend does not speak TLS: " + err.Error()}
	}
	if fault := early(ctx, err); fault != nil {
		return fault
	}
	return &Fault{Code: Unreachable, Message: err.Error()}
}

// silence is the fault of a request to which nothing came.
func silence(ctx context.Context, err error) *Fault {
	if fault := early(ctx, err); fault != nil {
		return fault
	}
	if errors.Is(err, io.EOF) {
		return &Fault{Code: NoAnswer, Message: "the connection was closed without an answer"}
	}
	if errors.Is(err, syscall.ECONNRESET) {
		return &Fault{Code: NoAnswer, Message: "the connection was reset without an answer"}
	}
	return &Fault{Code: NoAnswer, Message: "no answer: " + err.Error()}
}

// maxQuoted is how many bytes of what came a message tells.
const maxQuoted = 200

func headFault(ctx context.Context, err error, from *guard) *Fault {
	read := maxHead - from.left
	if fault := early(ctx, err); fault != nil {
		fault.Message = fmt.Sprintf("%s; %d bytes of its head had come", fault.Message, read)
		return fault
	}
	switch text := err.Error(); {
	case from.left <= 0:
		return &Fault{Code: Garbage, Message: fmt.Sprintf("the head of the answer does not end within %d bytes", maxHead)}
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF), errors.Is(err, syscall.ECONNRESET),
		from.ended && strings.Contains(text, `"HTTP/`):
		return &Fault{Code: NoAnswer, Message: fmt.Sprintf("the connection was closed in the middle of the answer's head, after %d bytes", read)}
	case strings.Contains(text, `"\x15\x03`):
		return &Fault{Code: Garbage, Message: "not an HTTP answer but TLS: the URL should begin with https"}
	default:
		if len(text) > maxQuoted {
			text = text[:maxQuoted] + "…"
		}
		return &Fault{Code: Garbage, Message: "not an HTTP answer: " + text}
	}
}

func bodyFault(ctx context.Context, err error, read int) *Fault {
	if fault := early(ctx, err); fault != nil {
		fault.Message = fmt.Sprintf("%s; %d bytes of the body had come", fault.Message, read)
		return fault
	}
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, syscall.ECONNRESET) {
		return &Fault{Code: Truncated, Message: fmt.Sprintf("the connection was closed in the middle of the body, after %d bytes", read)}
	}
	return &Fault{Code: Garbage, Message: fmt.Sprintf("the body cannot be read after %d bytes: %v", read, err)}
}

func sorted(h exchange.Header) exchange.Header {
	slices.SortStableFunc(h, func(a, b exchange.Field) int { return cmp.Compare(a.Name, b.Name) })
	return h
}
