package recording

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsontext"
)

// journalled is an entry of the mock's journal as far as it is needed.
type journalled struct {
	Number       int      `json:"number"`
	Microseconds int64    `json:"microseconds"`
	Delay        int64    `json:"delay"` // milliseconds, on purpose
	Request      *message `json:"request"`
	Response     *message `json:"response"`
	Fault        string   `json:"fault"`
}

type message struct {
	Method    string            `json:"method"`
	Path      string            `json:"path"`
	Query     string            `json:"query"`
	Status    int               `json:"status"`
	Headers   map[string]string `json:"headers"`
	Body      json.RawMessage   `json:"body"`
	Base64    string            `json:"base64"`
	Size      int               `json:"size"` // bytes of the body
	Truncated bool              `json:"truncated"`
}

func journalEntry(text []byte) (*Entry, error) {
	var j journalled
	if err := json.Unmarshal(text, &j); err != nil {
		return nil, err
	}
	switch {
	case j.Request == nil:
		return nil, errors.New("request is missing")
	case j.Request.Method == "":
		return nil, errors.New("request.method is missing")
	case !strings.HasPrefix(j.Request.Path, "/"):
		return nil, fmt.Errorf("request.path: %q does not begin with a slash", shortened(j.Request.Path))
	}
	r := &exchange.Request{Method: j.Request.Method, Path: j.Request.Path, Query: j.Request.Query,
		Header: j.Request.fields()}
	e := &Entry{Number: max(j.Number, 0), Request: r}
	if took := j.Microseconds + j.Delay*1000; took > 0 && took < maxMilliseconds*1000 {
		e.Took = time.Duration(took) * time.Microsecond
	}
	var err error
	if e.Request.Body, e.RequestCut, err = j.Request.body(e.Request.Header); err != nil {
		return nil, fmt.Errorf("request.%w", err)
	}
	switch {
	case j.Fault != "":
		e.Reason = "the mock broke the answer on purpose: " + shortened(j.Fault)
		return e, nil
	case j.Response == nil:
		e.Reason = noAnswer
		return e, nil
	}
	if err := e.setStatus(float64(j.Response.Status), j.Response.fields()); err != nil || e.Response == nil {
		return e, err
	}
	if e.Response.Body, e.ResponseCut, err = j.Response.body(e.Response.Header); err != nil {
		return nil, fmt.Errorf("response.%w", err)
	}
	dropFraming(&e.Response.Header)
	return e, nil
}

func (m *message) fields() exchange.Header {
	header := make(exchange.Header, 0, len(m.Headers))
	for _, name := range slices.Sorted(maps.Keys(m.Headers)) {
		header = append(header, exchange.Field{Name: name, Value: m.Headers[name]})
	}
	return header
}

// body gives the bytes of a body; cut says that they are not all. It stands as
// JSON where it is that, else as text, else as base64.
func (m *message) body(h exchange.Header) (body []byte, cut bool, err error) {
	if m.Base64 != "" {
		if body, err = base64.StdEncoding.DecodeString(m.Base64); err != nil {
			return nil, false, fmt.Errorf("base64: %w", err)
		}
		_, packed := h.Get("Content-Encoding")
		return body, m.Truncated || m.Size > len(body) || packed, nil
	}
	if len(m.Body) == 0 {
		return nil, m.Truncated || m.Size > 0, nil
	}
	if m.Body[0] != '"' {
		return m.Body, m.Truncated, nil
	}
	var text string
	if err := json.Unmarshal(m.Body, &text); err != nil {
		return nil, false, fmt.Errorf("body: %w", err)
	}
	if kind, _ := h.Get("Content-Type"); jsontext.IsMediaType(kind) && !m.Truncated && len(text) != m.Size {
		return m.Body, false, nil // a JSON text that is a string
	}
	return []byte(text), m.Truncated, nil
}
