package mock

import (
	"maps"
	"net/url"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/mock/internal/respond"
	"github.com/coldframe/coldframe/mock/internal/scenario"
)

// match finds the rule that applies to a request, of the scenario that it chose or
// else of those in force, with the request as the rule's expressions see it. A rule
// without an answer of its own lets the mock answer and only delays or breaks that.
func (p *play) match(chosen *scenario.Scenario, q *respond.Request) (scenario.Hit, *scenario.Request, []exchange.Finding) {
	if chosen == nil {
		chosen = p.book.Active()
	}
	rules := chosen.Rules(q.Operation.Operation)
	if rules.Empty() {
		return scenario.Hit{}, nil, nil
	}
	var seen *scenario.Request
	if rules.Read() {
		seen = &scenario.Request{
			Method: q.Method,
			Path:   q.Path,
			Params: q.Values.Path,
			Query:  queryValues(q.Query, q.Values.Query),
			Header: q.Header,
			Body:   q.Values.Body,
		}
	}
	hit, findings := rules.Match(seen, p.counters)
	return hit, seen, findings
}

// queryValues gives the parameters of a query as expressions see them: the
// documented ones decoded, the others as text.
func queryValues(query string, decoded map[string]any) map[string]any {
	if query == "" {
		return decoded
	}
	sent, _ := url.ParseQuery(query)
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
	maps.Copy(all, decoded)
	return all
}
