package mock

import (
	"github.com/coldframe/coldframe/internal/auth"
	"github.com/coldframe/coldframe/internal/coverage"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/generate"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/route"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/validate"
	"github.com/coldframe/coldframe/mock/internal/callbacks"
	"github.com/coldframe/coldframe/mock/internal/resources"
	"github.com/coldframe/coldframe/mock/internal/respond"
	"github.com/coldframe/coldframe/mock/internal/scenario"
	"github.com/coldframe/coldframe/mock/internal/state"
)

// contract is a document and its scenarios with all that requests need of
// them. It is replaced as a whole when a file changes.
type contract struct {
	*spec.Contract
	router     *route.Router
	operations map[*spec.Operation]*operation
	responder  *respond.Responder
	outgoing   callbacks.All // callbacks and webhooks
	scenarios  *scenario.Set
	resources  *resources.Set
	findings   []exchange.Finding // on the document, the scenarios and the data: warnings
	secrets    *auth.Secrets      // what is left out of logs
	coverage   *coverage.Coverage
	fixtures   *state.View // what sessions begin with
	data       []string    // files and folders that it was read from
	storeFull  func()      // called where an item is larger than the store
}

// operation is one operation with what answers it.
type operation struct {
	*respond.Operation
	auth      *auth.Policy
	validator *validate.Operation
}

// newContract compiles what the answers of a document need. warnFull is called where
// an item is dropped because the store is full, url gives the address of the server.
func newContract(
	c *spec.Contract, book *scenario.Book, o *Options, log *logger, url func() string, warnFull func(),
) *contract {
	m := &contract{
		Contract:   c,
		router:     route.New(c),
		operations: make(map[*spec.Operation]*operation, len(c.Operations)),
		responder:  respond.New(c, respond.Options{Examples: o.Examples, Fill: o.Fill}),
		outgoing:   outgoings(c, o),
		scenarios: scenario.NewSet(c, book, scenario.Options{Seed: o.Seed, Now: o.Clock, Dropped: func(f exchange.Finding) {
			log.note("a session loses a scenario that no longer fits the document: %s", f)
		}}),
		secrets:   auth.NewSecrets(c.Operations...),
		coverage:  coverage.New(c),
		storeFull: warnFull,
	}
	for _, op := range c.Operations {
		m.operations[op] = &operation{Operation: m.responder.Operation(op), auth: auth.New(op), validator: validate.New(op)}
	}
	plan, findings := resource.Infer(c, o.Resources)
	m.findings = findings
	m.resources = resources.Compile(plan, m.responder, resources.Options{
		Generate:      generate.Options{Fill: o.Fill, Examples: o.Examples != "off"},
		Seed:          o.Seed,
		Dynamic:       o.Dynamic,
		RefuseUnknown: o.UnknownItems == "refuse",
		Strict:        o.Validate == "strict",
		SeedItems:     o.SeedItems,
		Stateless:     o.Stateless,
		Clock:         o.Clock,
		URL:           url,
		StoreFull:     warnFull,
	})
	return m
}
