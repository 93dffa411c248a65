package mock

import (
	"strings"
	"time"

	"github.com/coldframe/coldframe/internal/decode"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/generate"
	"github.com/coldframe/coldframe/internal/route"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/mock/internal/prefer"
	"github.com/coldframe/coldframe/mock/internal/query"
	"github.com/coldframe/coldframe/mock/internal/respond"
)

// itemsResult is what the session's items make of a request.
type itemsResult struct {
	answered bool             // the answer is complete
	refusal  *respond.Refusal // nil: the request is not refused
	adjust   respond.Adjust   // of a body that is made from the document; nil for nothing
}

// handleItems lets a request do what it does to the session's items.
func (s *Server) handleItems(h *handled, status int, documented *spec.Response) itemsResult {
	x := &visit{
		Server: s, in: h.contract, request: h.ask.Request, session: h.session, preferences: &h.ask.Preferences,
		match: h.match, operation: h.operation, values: h.ask.Values, ask: &h.ask, response: &h.answer,
	}
	result := x.withFile(x.keep(status, documented), documented)
	made := itemsResult{answered: result == answered, refusal: x.refusal}
	if x.asks != nil || len(h.ask.Variables) > 0 {
		made.adjust = x.adjust
	}
	return made
}

// adjust fits a body that is not made of items to the request.
func (x *visit) adjust(_ *respond.Answer, media *spec.MediaType, body any) (any, bool) {
	named, isNamed := x.named(media, body)
	below, isBelow := x.below(media, named)
	excerpt := x.excerpt(media, below)
	return excerpt, isNamed || isBelow || x.asks != nil
}

// What follows serves resource_*.go until they are functions of their own package.

// visit is one request on its way through resource_*.go.
type visit struct {
	*Server
	in          *contract
	request     *exchange.Request
	session     *session
	preferences *prefer.Preferences
	match       route.Match
	operation   *operation
	values      decode.Values
	ask         *respond.Request
	response    *respond.Answer
	refusal     *respond.Refusal
	as          string
	asks        *query.Query // what is asked for of a list that is not made of items; nil for all of it
	changedAt   time.Time    // of what the request changes; zero until it is asked for
}

const (
	noItem            = respond.NoItem
	conflict          = respond.Conflict
	badBody           = respond.BadBody
	stalePrecondition = respond.StalePrecondition
)

func (x *visit) refuse(p respond.Problem, findings []exchange.Finding) {
	x.refusal = &respond.Refusal{Problem: p, Findings: findings}
}

func (x *visit) negotiate(content []*spec.MediaType) (media *spec.MediaType) {
	media, x.as = respond.Negotiate(x.request.Header, content)
	return media
}

func (x *visit) body(media *spec.MediaType, value any) { x.response.SetBody(media, x.as, value) }

func (x *visit) unsatisfiable(err error) { x.in.responder.Unsatisfiable(x.ask, x.response, err) }

func (x *visit) dynamic() bool { return x.ask.Dynamic }

func (x *visit) generated(b *respond.Body, key generate.Key) (any, error) {
	value, _, err := b.Generate(x.ask, key)
	return value, err
}

func (x *visit) key(status int, media *spec.MediaType) generate.Key {
	return x.ask.BodyKey(status, media)
}

var (
	asTyped     = respond.Typed
	bodiless    = respond.Bodiless
	splitQuoted = respond.SplitQuoted
	begun       = respond.SetDefaults
)

func readOnly(k *spec.Keywords, _ int) bool { return schema.ReadOnly(k) }

// plainWord gives a name in lower case, without what joins its words.
func plainWord(name string) string {
	return strings.NewReplacer("-", "", "_", "", ".", "").Replace(strings.ToLower(name))
}

func shorten(text string) string { return exchange.Shorten(text, 200) }
