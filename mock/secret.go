package mock

import (
	"github.com/coldframe/coldframe/internal/auth"
	"github.com/coldframe/coldframe/internal/exchange"
)

// credentials are those that the request came with.
func (h *handled) credentials() auth.Sent {
	if !h.sentKnown {
		h.sent, h.sentKnown = h.contract.secrets.Sent(h.ask.Request), true
	}
	return h.sent
}

// hideCredentials takes the request's credentials out of both messages, wherever
// they are repeated: in a path, a link to the next page, a scenario's answer.
func (h *handled) hideCredentials(request *exchange.Request, response *exchange.Response) {
	sent := h.credentials()
	if sent == nil {
		return
	}
	request.Path, request.Query = sent.Hide(request.Path), sent.Hide(request.Query)
	request.Header, request.Body = sent.HideHeader(request.Header), sent.HideBytes(request.Body)
	response.Header, response.Body = sent.HideHeader(response.Header), sent.HideBytes(response.Body)
}
