package httpserver

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"sync"
	"time"
)

// ListenStandard binds an address for a handler, which net/http then serves: HTTP/1.1, and HTTP/2 if config has h2,
// with trailers, upgrades and interim responses, which fasthttp does not have. Listener, limits and timeouts are the
// core's; the handler limits the time for bodies (Core.Patient).
func ListenStandard(
	c *Core, handler http.Handler, host string, port int, config *tls.Config,
) (*Server, error) {
	s, err := bind(c, host, port, config)
	if err != nil {
		return nil, err
	}
	var fresh sync.Map // of net.Conn: connections without a complete request
	server := &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: c.readTimeout(),
		IdleTimeout:       c.readTimeout(),
		MaxHeaderBytes:    MaxHeader,

		DisableGeneralOptionsHandler: true, // OPTIONS * is the handler's

		ErrorLog: log.New(io.Discard, "", 0), // aborted connections are in the journal
		ConnState: func(conn net.Conn, state http.ConnState) {
			if state == http.StateNew {
				fresh.Store(conn, nil)
			} else {
				fresh.Delete(conn)
			}
		},
	}
	s.serve = func(l net.Listener) error {
		if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
			return err
		}
		return nil
	}
	s.shutdown = func(within time.Duration) error {
		ctx, cancel := context.WithTimeout(context.Background(), within)
		defer cancel()
		return server.Shutdown(ctx)
	}
	s.endReading = func() {
		for conn := range fresh.Range {
			conn.(net.Conn).Close()
		}
	}
	return s, nil
}

// Patient bounds the time between two pieces of a request's body, and of its response, instead of the time for all of
// it: bodies that pass through may be of any length. The request's body and the returned writer keep moving the
// deadlines of the connection.
func (c *Core) Patient(w http.ResponseWriter, r *http.Request) http.ResponseWriter {
	controller := http.NewResponseController(w)
	if r.Body != nil && r.Body != http.NoBody {
		r.Body = &patientBody{r.Body, func(at time.Time) { controller.SetReadDeadline(at) }, c.readTimeout()}
	}
	return &patientWriter{w, func(at time.Time) { controller.SetWriteDeadline(at) }, c.readTimeout()}
}

type patientBody struct {
	io.ReadCloser
	deadline func(time.Time)
	patience time.Duration
}

func (b *patientBody) Read(p []byte) (int, error) {
	b.deadline(time.Now().Add(b.patience))
	n, err := b.ReadCloser.Read(p)
	if err != nil {
		b.deadline(time.Time{}) // the connection may stay quiet while the response is made
	}
	return n, err
}

type patientWriter struct {
	http.ResponseWriter
	deadline func(time.Time)
	patience time.Duration
}

func (w *patientWriter) Write(p []byte) (int, error) {
	w.deadline(time.Now().Add(w.patience))
	return w.ResponseWriter.Write(p)
}

// Unwrap lets an http.ResponseController flush and hijack.
func (w *patientWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
