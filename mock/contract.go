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
	outgoing   map[*spec.Operation]*outgoing // of callbacks and webhooks
	version    uint64                        // each contract in force has a higher one
	loaded     *scenario.Book                // from files
	book       *scenario.Book                // those with what was changed since
	resources  []*resource.Resource
	kept       map[*resource.Resource]*keeping // resources whose items can be seen
	findings   []exchange.Finding              // on the document and the scenarios: warnings
	secrets    *auth.Secrets                   // what is left out of logs
	coverage   *coverage.Coverage
	begins     *state.View // what sessions begin with
	data       []string    // files and folders that it was read from
}

// operation is one operation with what answers it.
type operation struct {
	*respond.Operation
	auth      *auth.Policy
	validator *validate.Operation
	binding   *resource.Binding // what it does to what is kept; nil without keeps
	keeps     *keeping          // nil: nothing
	file      fileRole          // what it does to the file that its path names
}

func newContract(c *spec.Contract, book *scenario.Book, o *Options) *contract {
	m := &contract{
		Contract:   c,
		router:     route.New(c),
		operations: make(map[*spec.Operation]*operation, len(c.Operations)),
		responder:  respond.New(c, respond.Options{Examples: o.Examples, Fill: o.Fill}),
		outgoing:   outgoings(c, o),
		loaded:     book,
		book:       book,
		secrets:    auth.NewSecrets(c.Operations...),
		coverage:   coverage.New(c),
	}
	for _, op := range c.Operations {
		m.operations[op] = &operation{Operation: m.responder.Operation(op), auth: auth.New(op), validator: validate.New(op)}
	}
	plan, findings := resource.Infer(c, o.Resources)
	m.findings, m.resources = findings, plan.Resources
	for _, b := range plan.Bindings {
		switch b.Role {
		case resource.List, resource.Create, resource.Read, resource.Replace, resource.Update, resource.Upsert:
			if b.Confidence >= surely || b.Declared {
				m.operations[b.Operation].Item = b
			}
		}
	}
	if !o.Stateless {
		m.keepings(plan, generate.Options{Fill: o.Fill, Examples: o.Examples != "off"}, o.Seed)
		m.files()
	}
	for _, op := range m.operations {
		op.Kept = op.keeps != nil
	}
	return m
}
