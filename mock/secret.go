package mock

import (
	"github.com/coldframe/coldframe/internal/auth"
	"github.com/coldframe/coldframe/internal/exchange"
)

// credentials are those that the request came with.
func (x *visit) credentials() auth.Sent {
	if !x.sentKnown {
		x.sent, x.sentKnown = x.in.secrets.Sent(x.request), true
	}
	return x.sent
}

// hideCredentials takes the request's credentials out of both messages, wherever
// they are repeated: in a path, a link to the next page, a scenario's answer.
func (x *visit) hideCredentials(request *exchange.Request, response *exchange.Response) {
	sent := x.credentials()
	if sent == nil {
		return
	}
	request.Path, request.Query = sent.Hide(request.Path), sent.Hide(request.Query)
	request.Header, request.Body = sent.HideHeader(request.Header), sent.HideBytes(request.Body)
	response.Header, response.Body = sent.HideHeader(response.Header), sent.HideBytes(response.Body)
}
