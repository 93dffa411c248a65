package control

import (
	"cmp"
	"context"
	_ "embed" // openapi.yaml
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/coldframe/coldframe/internal/decode"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/route"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/validate"
	"github.com/coldframe/coldframe/mock/internal/httpserver"
)

// handlerFunc implements an operation of openapi.yaml. A nil result becomes a 204, an httpserver.Answer is sent
// unchanged, anything else as JSON. An error is a *Failure.
type handlerFunc func(*Handler, *call) (any, error)

// routes are the functions for the operations, by operationId.
var routes = map[string]handlerFunc{
	"listOperations":   listOperations,
	"health":           func(*Handler, *call) (any, error) { return map[string]string{"status": "ok"}, nil },
	"describe":         func(*Handler, *call) (any, error) { return written("application/yaml", Document), nil },
	"getDocument":      getDocument,
	"getLines":         getLines,
	"getOperations":    getOperations,
	"getOperation":     getOperation,
	"getResources":     getResources,
	"getItems":         getItems,
	"createItem":       createItem,
	"putItem":          putItem,
	"deleteItem":       deleteItem,
	"getState":         (*Handler).getState,
	"replaceState":     (*Handler).replaceState,
	"clearState":       (*Handler).clearState,
	"getClock":         getClock,
	"setClock":         withBody(setClock),
	"resetClock":       resetClock,
	"getMemory":        (*Handler).getMemory,
	"listSessions":     (*Handler).listSessions,
	"changeSession":    withBody((*Handler).changeSession),
	"useSession":       useSession,
	"deleteSession":    (*Handler).deleteSession,
	"deleteSnapshot":   (*Handler).deleteSnapshot,
	"exportSession":    (*Handler).exportSession,
	"importSession":    (*Handler).importSession,
	"listScenarios":    (*Handler).listScenarios,
	"replaceScenarios": withBody((*Handler).replaceScenarios),
	"restoreScenarios": (*Handler).restoreScenarios,
	"getScenario":      (*Handler).getScenario,
	"putScenario":      (*Handler).putScenario,
	"saveScenario":     (*Handler).saveScenario,
	"switchScenario":   withBody((*Handler).switchScenario),
	"deleteScenario":   (*Handler).deleteScenario,
	"getScenarioState": (*Handler).getScenarioState,
	"setScenarioState": withBody((*Handler).setScenarioState),
	"rewindScenario":   (*Handler).rewindScenario,
	"listRequests":     withJournal((*Handler).listRequests),
	"clearRequests":    (*Handler).clearRequests,
	"getRequest":       withJournal((*Handler).getRequest),
	"followRequests":   withJournal((*Handler).followRequests),
	"verify":           withJournal(withBody((*Handler).verify)),
	"getCoverage":      (*Handler).getCoverage,
	"listSources":      withProxy(listSources),
	"setSource":        withProxy(withBody(setSource)),
	"getLearned":       withProxy(getLearned),
	"listWebhooks":     (*Handler).listWebhooks,
	"sendWebhook":      (*Handler).sendWebhook,
}

// Document is the control API's own OpenAPI document.
//
//go:embed openapi.yaml
var Document []byte

type compiled struct {
	operations []*spec.Operation
	router     *route.Router
	validators map[*spec.Operation]*validate.Validator
}

// document compiles the document at the first request.
var document = sync.OnceValues(func() (*compiled, error) {
	c, err := spec.Load(context.Background(), "openapi.yaml", spec.Options{Text: Document})
	if err != nil {
		return nil, err
	}
	d := &compiled{c.Operations, route.New(c), map[*spec.Operation]*validate.Validator{}}
	for _, op := range c.Operations {
		d.validators[op] = validate.New(op)
	}
	return d, nil
})

// listOperations shows what the control API has.
func listOperations(*Handler, *call) (any, error) {
	type listed struct {
		Method  string `json:"method"`
		Path    string `json:"path"`
		Summary string `json:"summary"`
	}
	d, err := document()
	if err != nil {
		return nil, err
	}
	all := make([]listed, len(d.operations))
	for i, o := range d.operations {
		all[i] = listed{o.Method, o.Path, o.Summary}
	}
	return all, nil
}

func (h *Handler) dispatch(r *exchange.Request) httpserver.Answer {
	d, err := document()
	if err != nil {
		return problem(500, err.Error())
	}
	method := r.Method
	if method == http.MethodHead {
		method = http.MethodGet
	}
	var m route.Match
	switch d.router.Find(method, r.Path, &m) {
	case route.NotFound:
		detail := "the control API has no such path"
		if near := d.router.Nearest(r.Method, r.Path); near != nil {
			detail += "; did you mean " + near.Method + " " + near.Path + "?"
		}
		return problem(404, detail+" ("+Prefix+"openapi.yaml describes all there are)")
	case route.MethodNotAllowed:
		return d.notAllowed(r)
	}
	c := &call{request: withMediaType(m.Operation, r)}
	v := d.validators[m.Operation]
	var findings []exchange.Finding
	c.Values, findings = v.Request(c.request, m.Values)
	if findings = append(findings, v.Unknown(r)...); len(findings) > 0 {
		return refusal(invalid(400, findings...))
	}
	result, err := routes[m.Operation.ID](h, c)
	if over := c.request.Work.Ended(); over != nil {
		return problem(503, over.Error()+" (option request-timeout)")
	}
	switch result := result.(type) {
	case httpserver.Answer:
		return result
	case nil:
		if failure, ok := err.(*Failure); ok {
			return refusal(failure)
		}
		return httpserver.Answer{Response: &exchange.Response{Status: 204}}
	default:
		return written("application/json", marshal(result))
	}
}

func (d *compiled) notAllowed(r *exchange.Request) httpserver.Answer {
	methods := d.router.Allowed(r.Path)
	if slices.Contains(methods, http.MethodGet) {
		methods = append(methods, http.MethodHead)
		slices.Sort(methods)
	}
	allow := strings.Join(methods, ", ")
	a := problem(405, "the method "+r.Method+" is not for this path; use "+allow)
	a.Header.Set("Allow", allow)
	return a
}

// withMediaType sets the operation's first media type if a body has none, or the one that curl sends by default.
func withMediaType(o *spec.Operation, r *exchange.Request) *exchange.Request {
	sent, ok := r.Header.Get("Content-Type")
	if len(r.Body) == 0 || ok && sent != "application/x-www-form-urlencoded" || o.Body == nil {
		return r
	}
	typed := *r
	typed.Header = slices.Clone(r.Header)
	typed.Header.Set("Content-Type", o.Body.Content[0].Range)
	return &typed
}

// call is a request that conforms to the document.
type call struct {
	request *exchange.Request
	decode.Values
}

// query returns a query parameter, "" if it was not sent.
func (c *call) query(name string) string {
	text, _ := c.Query[name].(string)
	return text
}

func (c *call) path(name string) string {
	text, _ := c.Path[name].(string)
	return text
}

// session returns the session in the query, nil for all.
func (c *call) session() *string {
	if name, ok := c.Query["session"].(string); ok {
		return &name
	}
	return nil
}

// oneSession returns the session in the query, by default the session of requests that name none.
func (c *call) oneSession() *string { return cmp.Or(c.session(), new("")) }

// withBody decodes the body into a T and passes it to do.
func withBody[T any](do func(*Handler, *call, T) (any, error)) handlerFunc {
	return func(h *Handler, c *call) (any, error) {
		var body T
		if c.Body() != nil {
			if err := json.Unmarshal(jsontext.Append(nil, c.Body()), &body); err != nil {
				return nil, &Failure{Status: 400, Detail: err.Error()}
			}
		}
		return do(h, c, body)
	}
}

// integer returns a validated integer.
func integer(value any, otherwise int) int {
	if n, ok := value.(json.Number); ok {
		if i, err := n.Int64(); err == nil {
			return int(i)
		}
	}
	return otherwise
}
