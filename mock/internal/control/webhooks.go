package control

import (
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
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
	Detail   string
	Findings []exchange.Finding
}

// webhooks lists the names of the webhooks.
func (h *Handler) webhooks(*call) Answer {
	names := []any{}
	if h.Webhooks != nil {
		for _, name := range h.Webhooks.Names() {
			names = append(names, name)
		}
	}
	return answer(map[string]any{"webhooks": names})
}

// send sends the webhook that is named.
func (h *Handler) send(c *call) Answer {
	name, _ := c.Path["name"].(string)
	if h.Webhooks == nil {
		return problem(404, "the mock sends no webhooks")
	}
	object, _ := c.Body.(map[string]any)
	var o Order
	o.URL, _ = object["url"].(string)
	o.Method, _ = object["method"].(string)
	o.Method = strings.ToUpper(o.Method)
	o.Body, o.HasBody = object["body"]
	result, failure := h.Webhooks.Send(name, o)
	switch {
	case failure == nil:
		return answer(result)
	case len(failure.Findings) == 0:
		return problem(failure.Status, failure.Detail)
	}
	for i := range failure.Findings {
		f := &failure.Findings[i]
		f.Pointer = "/body" + f.Pointer // where the order has it
	}
	return invalid(failure.Status, failure.Findings)
}
