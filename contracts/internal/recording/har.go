package recording

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/coldframe/coldframe/internal/exchange"
)

// har is an entry of HAR 1.2 as far as it is needed.
type har struct {
	Time    float64 `json:"time"` // milliseconds; negative where it is not known
	Request *struct {
		Method   string     `json:"method"`
		URL      string     `json:"url"`
		Headers  []harField `json:"headers"`
		BodySize float64    `json:"bodySize"` // -1 where it is not known
		PostData *struct {
			MimeType string  `json:"mimeType"`
			Text     *string `json:"text"`
			Encoding string  `json:"encoding"` // beyond HAR 1.2, as for answers
			Params   []struct {
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
			Size     float64 `json:"size"`
			MimeType string  `json:"mimeType"`
			Text     *string `json:"text"`
			Encoding string  `json:"encoding"`
		} `json:"content"`
	} `json:"response"`
}

type harField struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

func harEntry(text []byte) (*Entry, error) {
	var h har
	if err := json.Unmarshal(text, &h); err != nil {
		return nil, err
	}
	if h.Request == nil {
		return nil, errors.New("request is missing")
	}
	if h.Request.Method == "" {
		return nil, errors.New("request.method is missing")
	}
	target, err := url.Parse(h.Request.URL)
	if err != nil {
		return nil, fmt.Errorf("request.url: %w", err)
	}
	e := &Entry{Request: &exchange.Request{Method: h.Request.Method, Path: target.EscapedPath(), Query: target.RawQuery}}
	if h.Time > 0 && h.Time < maxMilliseconds {
		e.Took = time.Duration(h.Time * float64(time.Millisecond))
	}
	if e.Request.Path == "" {
		e.Request.Path = "/"
	}
	switch {
	case target.Scheme == "" || target.Host == "" && target.Opaque == "" && target.Scheme != "file":
		return nil, fmt.Errorf("request.url: %q is not absolute", shortened(h.Request.URL))
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

// maxMilliseconds bounds the time that an exchange can have taken: a week.
const maxMilliseconds = 7 * 24 * 60 * 60 * 1000

// Origin gives the origin of a URL as entries have it: without the port that its
// scheme implies.
func Origin(u *url.URL) string {
	host := strings.ToLower(u.Host)
	switch {
	case u.Scheme == "http":
		host = strings.TrimSuffix(host, ":80")
	case u.Scheme == "https":
		host = strings.TrimSuffix(host, ":443")
	}
	return u.Scheme + "://" + host
}

// harFields leaves out HTTP/2's pseudo fields, and divides what browsers join by
// line breaks.
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

// body reads the request's body. Browsers leave the contents of files out.
func (h *har) body(e *Entry) error {
	data := h.Request.PostData
	length, _ := e.Request.Header.Get("Content-Length")
	if data == nil {
		e.RequestCut = h.Request.BodySize > 0 || length != "" && length != "0"
		return nil
	}
	if _, typed := e.Request.Header.Get("Content-Type"); !typed && data.MimeType != "" {
		e.Request.Header.Set("Content-Type", data.MimeType)
	}
	if _, packed := e.Request.Header.Get("Content-Encoding"); packed {
		e.RequestCut = true
		e.Request.Header.Del("Content-Encoding")
	}
	text, err := decoded(data.Text, data.Encoding)
	if err != nil {
		return fmt.Errorf("request.postData: %w", err)
	}
	multipart := strings.HasPrefix(strings.ToLower(data.MimeType), "multipart/")
	switch {
	case len(text) > 0:
		e.Request.Body = text
		e.RequestCut = e.RequestCut || multipart && strings.Contains(string(text), "filename")
	case multipart:
		e.RequestCut = true
	case len(data.Params) > 0:
		pairs := make([]string, len(data.Params))
		for i, p := range data.Params {
			pairs[i] = url.QueryEscape(p.Name) + "=" + url.QueryEscape(p.Value)
			e.RequestCut = e.RequestCut || p.FileName != "" || strings.Contains(p.Name+p.Value, "%") // which may be encoded already
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
	if r == nil || r.Status == 0 {
		e.Reason = "no answer was recorded"
		return nil
	}
	if r.Status < 100 || r.Status > 999 || r.Status != float64(int(r.Status)) {
		return fmt.Errorf("response.status: %v is none", r.Status)
	}
	status := int(r.Status)
	if status < 200 {
		e.Reason = fmt.Sprintf("answered %d", status)
		return nil
	}
	e.Response = &exchange.Response{Status: status, Header: harFields(r.Headers)}
	e.HeadCut = len(e.Response.Header) == 0
	e.ResponseCut = e.HeadCut && (r.Content == nil || r.Content.MimeType == "")
	length, _ := e.Response.Header.Get("Content-Length")
	for _, name := range []string{"Content-Encoding", "Content-Length", "Transfer-Encoding"} {
		e.Response.Header.Del(name)
	}
	if e.Request.Method == "HEAD" || status == 204 || status == 304 {
		return nil
	}
	if r.Content == nil {
		e.ResponseCut = true
		return nil
	}
	if e.HeadCut && r.Content.MimeType != "" {
		e.Response.Header.Set("Content-Type", r.Content.MimeType)
	}
	text, err := decoded(r.Content.Text, r.Content.Encoding)
	if err != nil {
		return fmt.Errorf("response.content: %w", err)
	}
	e.Response.Body = text
	e.ResponseCut = e.ResponseCut || len(text) == 0 && (r.Content.Size != 0 || length != "" && length != "0")
	return nil
}

func decoded(text *string, encoding string) ([]byte, error) {
	switch {
	case text == nil || *text == "":
		return nil, nil
	case encoding == "":
		return []byte(*text), nil
	case strings.EqualFold(encoding, "base64"):
		body, err := base64.StdEncoding.DecodeString(*text)
		if err != nil {
			return nil, fmt.Errorf("text is not base64: %w", err)
		}
		return body, nil
	}
	return nil, fmt.Errorf("encoding %q is not known, want base64", shortened(encoding))
}

// shortened gives the beginning of a text for messages.
func shortened(text string) string {
	const most = 100
	if len(text) > most {
		return strings.ToValidUTF8(text[:most], "") + "…"
	}
	return text
}
