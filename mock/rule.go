package mock

import (
	"net/url"
	"slices"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/mock/internal/scenario"
)

// scenario asks the scenario that the request chose, or else those in force,
// whether a rule applies to it. A rule without an answer of its own lets the
// mock answer and only delays or breaks that.
func (x *visit) scenario() bool {
	if x.play == nil {
		x.play = x.session.Value().play(x.Server, x.in)
	}
	chosen := x.chosen
	if chosen == nil {
		chosen = x.play.book.Active()
	}
	rules := chosen.Rules(x.operation.Operation)
	if rules.Empty() {
		return true
	}
	var request *scenario.Request
	if rules.Read() {
		request = &scenario.Request{
			Method: x.request.Method,
			Path:   x.request.Path,
			Params: x.values.Path,
			Query:  x.query(),
			Header: x.request.Header,
			Body:   x.values.Body,
		}
	}
	hit, findings := rules.Match(request, x.play.counters)
	x.findings = append(x.findings, findings...)
	rule := hit.Rule
	if rule == nil {
		return true
	}
	x.rule = rule
	x.delay += hit.Delay
	x.fault = rule.Fault
	if rule.Response == nil {
		return true
	}
	x.preferences.ignores(preferCode, preferExample)
	answer, err := hit.Answer(request)
	if err != nil {
		x.fail(500, exchange.Finding{Code: scenario.CodeFailed, Message: "scenario " + rule.Scenario + ": " + err.Error(), In: exchange.InRequest, Document: rule.Place})
		return false
	}
	if !answer.HasBody {
		x.answer(answer.Status, x.operation.Response(answer.Status))
		for _, f := range answer.Header {
			x.response.Header.Set(f.Name, f.Value)
		}
		return false
	}
	x.response = exchange.Response{Status: answer.Status, Header: slices.Clone(answer.Header), Body: answer.Body}
	if media := rule.Response.MediaType; !answer.Checked && media != nil {
		x.media, x.value, x.pending = media, answer.Value, true
	}
	return false
}

// query gives the query's parameters as expressions see them: the documented
// ones decoded, the others as text.
func (x *visit) query() map[string]any {
	if x.request.Query == "" {
		return x.values.Query
	}
	sent, _ := url.ParseQuery(x.request.Query)
	all := make(map[string]any, len(sent))
	for name, values := range sent {
		if len(values) == 1 {
			all[name] = values[0]
			continue
		}
		list := make([]any, len(values))
		for i, v := range values {
			list[i] = v
		}
		all[name] = list
	}
	for name, value := range x.values.Query {
		all[name] = value
	}
	return all
}
