package control

import (
	"bytes"
	"encoding/json"
	"net/http"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/mock/client"
)

// Failure is why a request is not fulfilled.
type Failure struct {
	Status   int
	Detail   string
	Findings []exchange.Finding
}

func (f *Failure) Error() string { return f.Detail }

// invalid is the failure of a request with findings.
func invalid(status int, findings []exchange.Finding) *Failure {
	return &Failure{Status: status, Detail: exchange.Join(findings), Findings: findings}
}

func (f *Failure) answer() Answer {
	if len(f.Findings) == 0 {
		return problem(f.Status, f.Detail)
	}
	errors := make([]client.Finding, len(f.Findings))
	for i, found := range f.Findings {
		e := client.Finding{Code: found.Code, Detail: found.String()}
		switch {
		case found.In == exchange.InBody:
			e.Pointer = "#" + found.Pointer
		case found.Name != "":
			e.Parameter = found.Name
		case found.In == "" && found.Document.Line > 0:
			e.File, e.Line, e.Column = found.Document.File, found.Document.Line, found.Document.Column
		}
		errors[i] = e
	}
	return problemWith(f.Status, exchange.Join(f.Findings), map[string]any{"errors": errors})
}

// problem answers with problem details (RFC 9457).
func problem(status int, detail string) Answer { return problemWith(status, detail, map[string]any{}) }

// problemWith adds the standard members to others.
func problemWith(status int, detail string, members map[string]any) Answer {
	members["type"], members["title"] = "about:blank", http.StatusText(status)
	members["status"], members["detail"] = status, detail
	a := written("application/problem+json", marshal(members))
	a.Status = status
	return a
}

func written(mediaType string, body []byte) Answer {
	header := exchange.Header{{Name: "Content-Type", Value: mediaType}}
	return Answer{Response: &exchange.Response{Status: 200, Header: header, Body: body}}
}

// marshal writes a value as one line of JSON, without escapes that only HTML
// needs.
func marshal(value any) []byte {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return marshal(err.Error())
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
