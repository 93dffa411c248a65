// Package mock is the server that stands in for a backend. One exchange takes
// the way that pipeline.go shows; the other files are named for its steps.
package mock

import (
	"time"

	"github.com/coldframe/coldframe/internal/auth"
	"github.com/coldframe/coldframe/internal/decode"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/route"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/mock/internal/callbacks"
	"github.com/coldframe/coldframe/mock/internal/query"
	"github.com/coldframe/coldframe/mock/internal/scenario"
)

// visit is one exchange on its way.
type visit struct {
	*Server
	in          *contract // the one in force when the request came
	request     *exchange.Request
	session     *session
	preferences preferences

	match     route.Match
	operation *operation // nil until it is routed
	values    decode.Values
	findings  []exchange.Finding
	sent      auth.Sent // credentials, see there
	sentKnown bool

	play   *play              // the session's scenarios, once they are asked for
	chosen *scenario.Scenario // by the request; nil for those in force

	rule  *scenario.Rule // nil where no scenario has a say
	delay time.Duration
	fault scenario.Fault

	response exchange.Response
	room     [4]exchange.Field // for the fields of most answers
	as       string            // the media type to answer with where a range is documented; "" for its plainest member
	media    *spec.MediaType   // of the response's body, where the document has one
	value    any               // of the response's body, where it is not written yet
	pending  bool              // the body is value, to be validated and written

	asks *query.Query // what is asked for of a list that is not made of items; nil for all of it

	changedAt time.Time            // of what the request changes; zero until it is asked for
	messages  []*callbacks.Message // to be sent after the answer
}

// exchange takes a request the whole way:
//
//	route → prefer → session → authenticate → decode → validate → scenario → respond → validate response → journal
//
// A step that answers ends the way to the answer.
func (s *Server) exchange(r *exchange.Request) *visit {
	x := &visit{Server: s, in: s.current.Load(), request: r, delay: s.options.Delay}
	x.session = s.sessions.Lookup("")
	began := s.now()
	switch {
	case !x.preflight():
	case !x.route():
	case !x.prefer():
	case !x.enter():
	case !x.chooses():
	case !x.authenticate():
	case !x.decode():
	case !x.validate():
	case !x.scenario():
	default:
		x.respond()
	}
	x.validateResponse()
	x.finish()
	s.log.exchange(x, began)
	x.record(began)
	x.cover()
	x.messages = x.callbacks()
	return x
}
