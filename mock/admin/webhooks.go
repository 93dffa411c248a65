package admin

import (
	"net/url"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsontext"
)

// Webhooks is the part of the mock that sends webhooks.
type Webhooks struct {
	// Names lists the document's webhooks.
	Names func() []string
	// Send sends one and gives what was sent and what came back.
	Send func(name string, o Order) (any, *Failure)
}

// Order is what a client asks for: POST /__coldframe/webhooks/NAME with
// {"url": ..., "method": ..., "body": ...}.
type Order struct {
	URL     string // where to send it
	Method  string // "" for the first that is documented
	Body    any    // in place of a generated one
	HasBody bool
}

// Failure says why nothing was sent, or why nothing came back.
type Failure struct {
	Status   int
	Title    string
	Detail   string
	Findings []exchange.Finding
}

// webhooks lists the webhooks, or sends the one that is named.
func (h *Handler) webhooks(name string, r *exchange.Request) *exchange.Response {
	if name == "" {
		return h.only(r, map[string]func() *exchange.Response{"GET": func() *exchange.Response {
			names := []any{}
			for _, name := range h.Webhooks.Names() {
				names = append(names, name)
			}
			return answer(map[string]any{"webhooks": names})
		}})
	}
	if r.Method != "POST" {
		response := problem(405, "Method Not Allowed", "the method "+r.Method+" is not for this path; use POST")
		response.Header.Set("Allow", "POST")
		return response
	}
	if unescaped, err := url.PathUnescape(name); err == nil {
		name = unescaped
	}
	order, wrong := readOrder(r.Body)
	if wrong != "" {
		return problem(400, "Bad Request", wrong)
	}
	result, failure := h.Webhooks.Send(name, order)
	if failure == nil {
		return answer(result)
	}
	response := problem(failure.Status, failure.Title, failure.Detail)
	if len(failure.Findings) > 0 {
		errors := make([]any, len(failure.Findings))
		for i, f := range failure.Findings {
			errors[i] = map[string]any{"detail": f.String(), "pointer": "#/body" + f.Pointer}
		}
		response.Body = jsontext.Append(nil, map[string]any{"type": "about:blank", "title": failure.Title,
			"status": failure.Status, "detail": failure.Detail, "errors": errors})
	}
	return response
}

// readOrder reads an order strictly and says what is wrong with it, "" for
// nothing.
func readOrder(body []byte) (o Order, wrong string) {
	const form = `; send {"url": "http://localhost:8080/hook"}`
	if len(body) == 0 {
		return o, "the body is empty" + form
	}
	value, err := jsontext.Decode(string(body))
	if err != nil {
		return o, "the body is no JSON: " + err.Error() + form
	}
	object, ok := value.(map[string]any)
	if !ok {
		return o, "the body is no object" + form
	}
	for name, member := range object {
		switch name {
		case "url":
			o.URL, _ = member.(string)
		case "method":
			if o.Method, ok = member.(string); !ok {
				return o, "method must be a string"
			}
			o.Method = strings.ToUpper(o.Method)
		case "body":
			o.Body, o.HasBody = member, true
		default:
			return o, "unknown member " + string(jsontext.AppendString(nil, name)) + "; there are url, method and body"
		}
	}
	if o.URL == "" {
		return o, "url is missing" + form
	}
	return o, ""
}
