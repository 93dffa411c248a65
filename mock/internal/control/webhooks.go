package control

import "strings"

// Webhooks is the part of the mock that sends webhooks.
type Webhooks struct {
	// Names lists the document's webhooks.
	Names func() []string
	// Send sends one and gives what was sent and received.
	Send func(name string, o WebhookOrder) (any, *Failure)
}

// WebhookOrder is the body of a request to send a webhook.
type WebhookOrder struct {
	URL    string // where to send it
	Method string // "" for the first that is documented
	Body   *any   // in place of a generated one; nil for none
}

func (h *Handler) listWebhooks(*call) (any, error) {
	return map[string]any{"webhooks": append([]string{}, h.Webhooks.Names()...)}, nil
}

func (h *Handler) sendWebhook(c *call) (any, error) {
	object, _ := c.Body.(map[string]any)
	var o WebhookOrder
	o.URL, _ = object["url"].(string)
	o.Method, _ = object["method"].(string)
	o.Method = strings.ToUpper(o.Method)
	if body, ok := object["body"]; ok {
		o.Body = &body
	}
	result, failure := h.Webhooks.Send(c.path("name"), o)
	if failure == nil {
		return result, nil
	}
	for i := range failure.Findings {
		failure.Findings[i].Pointer = "/body" + failure.Findings[i].Pointer // where the order has it
	}
	return nil, failure
}
