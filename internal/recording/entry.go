package recording

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/visible"
)

// har has the needed members of an entry of HAR 1.2.
type har struct {
	Time    float64 `json:"time"` // milliseconds; negative if it is not known
	Request *struct {
		Method   string     `json:"method"`
		URL      string     `json:"url"`
		Headers  []harField `json:"headers"`
		BodySize float64    `json:"bodySize"` // -1 if it is not known
		PostData *struct {
			harContent
			Params []struct {
				Name     string `json:"name"`
				Value    string `json:"value"`
				FileName string `json:"fileName"`
			} `json:"params"`
		} `json:"postData"`
	} `json:"request"`
	Response *struct {
		Status  float64    `json:"status"`
		Headers []harField `json:"headers"`
		Content *struct {
			harContent
			Size float64 `json:"size"`
		} `json:"content"`
	} `json:"response"`
}

type harField struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

type harContent struct {
	MimeType  string  `json:"mimeType"`
	Text      *string `json:"text"`
	Encoding  string  `json:"encoding"`   // for requests beyond HAR 1.2
	Truncated bool    `json:"_truncated"` // by a Writer
}

// maxMilliseconds bounds the time that an exchange can have taken: a week.
const maxMilliseconds = 7 * 24 * 60 * 60 * 1000

var (
	errNoRequest = errors.New("request is missing")
	errNoMethod  = errors.New("request.method is missing")
)

func harEntry(text []byte) (*Entry, error) {
	var h har
	if err := json.Unmarshal(text, &h); err != nil {
		return nil, err
	}
	switch {
	case h.Request == nil:
		return nil, errNoRequest
	case h.Request.Method == "":
		return nil, errNoMethod
	}
	target, err := url.Parse(h.Request.URL)
	if err != nil {
		return nil, fmt.Errorf("request.url: %s", visible.WithoutUserinfo(err.Error()))
	}
	path := cmp.Or(target.EscapedPath(), "/")
	e := &Entry{Request: &exchange.Request{Method: h.Request.Method, Path: path, Query: target.RawQuery}}
	if h.Time > 0 && h.Time < maxMilliseconds {
		e.Took = time.Duration(h.Time * float64(time.Millisecond))
	}
	switch {
	case target.Scheme == "" || target.Host == "" && target.Opaque == "" && target.Scheme != "file":
		return nil, fmt.Errorf("request.url: %q is not absolute", shortened(visible.WithoutUserinfo(h.Request.URL)))
	case target.Scheme != "http" && target.Scheme != "https":
		e.Reason = fmt.Sprintf("%s is not HTTP", shortened(target.Scheme+":"))
		return e, nil
	}
	e.Origin = Origin(target)
	e.Request.Header = harFields(h.Request.Headers)
	if err := h.body(e); err != nil {
		return nil, err
	}
	return e, h.answer(e)
}

// Origin returns the origin of a URL as entries have it: without the port that its scheme implies.
func Origin(u *url.URL) string {
	host := strings.ToLower(u.Host)
	if port := (map[string]string{"http": ":80", "https": ":443"})[u.Scheme]; port != "" {
		host = strings.TrimSuffix(host, port)
	}
	return u.Scheme + "://" + host
}

// harFields drops HTTP/2's pseudo fields, and divides what browsers join by line breaks.
func harFields(fields []harField) exchange.Header {
	header := make(exchange.Header, 0, len(fields))
	for _, f := range fields {
		if strings.HasPrefix(f.Name, ":") || f.Name == "" {
			continue
		}
		for value := range strings.SplitSeq(f.Value, "\n") {
			header = append(header, exchange.Field{Name: f.Name, Value: strings.TrimSuffix(value, "\r")})
		}
	}
	return header
}

func saysBody(h exchange.Header) bool {
	length, _ := h.Get("Content-Length")
	return length != "" && length != "0"
}

// body reads the request's body. Browsers leave out the contents of files.
func (h *har) body(e *Entry) error {
	data, header := h.Request.PostData, &e.Request.Header
	if data == nil {
		e.RequestCut = h.Request.BodySize > 0 || saysBody(*header)
		return nil
	}
	if _, typed := header.Get("Content-Type"); !typed && data.MimeType != "" {
		header.Set("Content-Type", data.MimeType)
	}
	if _, packed := header.Get("Content-Encoding"); packed {
		e.RequestCut = true
		header.Del("Content-Encoding")
	}
	text, err := data.bytes()
	if err != nil {
		return fmt.Errorf("request.postData: %w", err)
	}
	multipart := strings.HasPrefix(strings.ToLower(data.MimeType), "multipart/")
	switch {
	case len(text) > 0:
		e.Request.Body = text
		e.RequestCut = e.RequestCut || data.Truncated || multipart && strings.Contains(string(text), "filename")
	case multipart:
		e.RequestCut = true
	case len(data.Params) > 0:
		pairs := make([]string, len(data.Params))
		for i, p := range data.Params {
			pairs[i] = url.QueryEscape(p.Name) + "=" + url.QueryEscape(p.Value)
			e.RequestCut = e.RequestCut || p.FileName != "" ||
				strings.Contains(p.Name+p.Value, "%") // which may be encoded already
		}
		e.Request.Body = []byte(strings.Join(pairs, "&"))
	default:
		e.RequestCut = e.RequestCut || h.Request.BodySize > 0
	}
	return nil
}

// answer reads the answer. Its body is without its encodings, whatever the fields
// say; beside a 304 browsers show what they had kept.
func (h *har) answer(e *Entry) error {
	r := h.Response
	if r == nil {
		e.Reason = noAnswer
		return nil
	}
	if err := e.setStatus(r.Status, harFields(r.Headers)); err != nil || e.Response == nil {
		return err
	}
	header := &e.Response.Header
	e.HeadCut = len(*header) == 0
	e.ResponseCut = e.HeadCut && (r.Content == nil || r.Content.MimeType == "")
	hasBody := saysBody(*header)
	dropFraming(header)
	switch {
	case e.Request.Method == "HEAD" || e.Response.Status == 204 || e.Response.Status == 304:
		return nil
	case r.Content == nil:
		e.ResponseCut = true
		return nil
	case e.HeadCut && r.Content.MimeType != "":
		header.Set("Content-Type", r.Content.MimeType)
	}
	text, err := r.Content.bytes()
	if err != nil {
		return fmt.Errorf("response.content: %w", err)
	}
	e.Response.Body = text
	e.ResponseCut = e.ResponseCut || r.Content.Truncated || len(text) == 0 && (r.Content.Size != 0 || hasBody)
	return nil
}

const noAnswer = "no answer was recorded"

// setStatus begins the answer, or says why there is none.
func (e *Entry) setStatus(status float64, header exchange.Header) error {
	switch {
	case status == 0:
		e.Reason = noAnswer
	case status < 100 || status > 999 || status != float64(int(status)):
		return fmt.Errorf("response.status: %v is none", status)
	case status < 200:
		e.Reason = fmt.Sprintf("answered %v", status)
	default:
		e.Response = &exchange.Response{Status: int(status), Header: header}
	}
	return nil
}

// dropFraming drops the fields about encodings that recordings undo.
func dropFraming(h *exchange.Header) {
	for _, name := range []string{"Content-Encoding", "Content-Length", "Transfer-Encoding"} {
		h.Del(name)
	}
}

func (c *harContent) bytes() ([]byte, error) {
	switch {
	case c.Text == nil || *c.Text == "":
		return nil, nil
	case c.Encoding == "":
		return []byte(*c.Text), nil
	case strings.EqualFold(c.Encoding, "base64"):
		body, err := base64.StdEncoding.DecodeString(*c.Text)
		if err != nil {
			return nil, fmt.Errorf("text is not base64: %w", err)
		}
		return body, nil
	}
	return nil, fmt.Errorf("encoding %q is not known, want base64", shortened(c.Encoding))
}

func shortened(text string) string { return exchange.Shorten(text, 100) }

// journalled has the needed members of an entry of the mock's journal.
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
		return nil, errNoRequest
	case j.Request.Method == "":
		return nil, errNoMethod
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

// body returns the bytes of a body; cut says that they are not all. It stands as
// JSON if it is that, else as text, else as base64.
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
