package mock

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"math"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/coldframe/coldframe"
	"github.com/coldframe/coldframe/internal/auth"
	"github.com/coldframe/coldframe/internal/coverage"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/generate"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/loading"
	"github.com/coldframe/coldframe/internal/locales"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/route"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/validate"
	"github.com/coldframe/coldframe/internal/values"
	"github.com/coldframe/coldframe/mock/internal/callbacks"
	"github.com/coldframe/coldframe/mock/internal/control"
	"github.com/coldframe/coldframe/mock/internal/fixtures"
	"github.com/coldframe/coldframe/mock/internal/issuer"
	"github.com/coldframe/coldframe/mock/internal/journal"
	"github.com/coldframe/coldframe/mock/internal/logins"
	"github.com/coldframe/coldframe/mock/internal/prefer"
	"github.com/coldframe/coldframe/mock/internal/replay"
	"github.com/coldframe/coldframe/mock/internal/resources"
	"github.com/coldframe/coldframe/mock/internal/respond"
	"github.com/coldframe/coldframe/mock/internal/scenario"
	"github.com/coldframe/coldframe/mock/internal/state"
)

// contract is a document and its scenarios with everything that requests need of them. It is replaced as a whole when
// a file changes.
type contract struct {
	*spec.Contract
	router          *route.Router
	operations      map[*spec.Operation]*operation
	responder       *respond.Responder
	outgoing        callbacks.All // callbacks and webhooks
	scenarios       *scenario.Set
	resources       *resources.Set
	logins          *logins.Set
	issuer          *issuer.Document
	findings        []exchange.Finding // on the document, the scenarios and the data: warnings
	asksCertificate bool               // some operation asks clients for a certificate
	secrets         *auth.Secrets      // what logs leave out
	coverage        *coverage.Coverage
	catalog         *control.Catalog
	loadedAt        time.Time
	fixtures        *state.View // what sessions begin with
	data            []string    // files and folders that it was read from
	replay          *replay.Set // nil: none, see Options.Replay
	dataSum         [sha256.Size]byte
}

type operation struct {
	*respond.Operation
	auth      *auth.Policy
	validator *validate.Validator
	stateful  bool // its answers depend on items, on logins or on values of its path
	cursors   map[string]bool
	unbound   *unbound
	role      *journal.Role // nil if it does nothing to items
}

// firstKey returns the first integer key that the mock makes. An upstream's keys of its own are smaller.
func (o *Options) firstKey() int64 {
	if o.upstream == nil {
		return 1
	}
	const beyondUpstream = 1_000_000_001
	return beyondUpstream
}

// load reads the options' files and builds the contract.
func (s *Server) load(ctx context.Context) (*contract, error) {
	o := &s.options
	ctx, cancel := loading.WithTimeout(ctx, o.Load.Timeout)
	defer cancel()
	budget := spec.ValueBudget(o.Load.MaxDocument)
	document, err := o.document(ctx, budget)
	if err != nil {
		return nil, err
	}
	book, onScenarios, err := o.book(ctx, document)
	if err != nil {
		return nil, err
	}
	if book == nil {
		return nil, &ScenarioError{onScenarios}
	}
	clock, _ := o.clock() // which was checked
	said, onValues := values.Resolve(document, values.Overrides(o.Values.Overrides))
	cache := &generate.Cache{Values: said, Origin: clock.origin, Locale: locales.Find(o.Values.Locale)}
	c := &contract{
		Contract:   document,
		router:     route.New(document),
		operations: make(map[*spec.Operation]*operation, len(document.Operations)),
		responder: respond.New(document, respond.Options{
			Examples: o.Values.Examples, Fill: o.Values.Fill, Strict: o.Values.StrictResponses, Cache: cache,
			ImageURLs: o.Values.ImageURLs == "mock", URL: s.URL, Share: o.share(),
		}),
		outgoing: callbacks.Compile(document, o.Values.Fill, o.Values.Examples, cache),
		scenarios: scenario.NewSet(document, book, scenario.Options{
			Seed: o.Values.Seed, Grown: func(bytes int64) { s.sessions.Grow(bytes) },
			Dropped: func(f exchange.Finding) {
				s.log.note("a session loses a scenario that no longer fits the document: %s", f)
			},
		}),
		loadedAt: o.Clock(),
		secrets:  auth.NewSecrets(document.Operations...),
		coverage: coverage.New(document),
	}
	for _, op := range document.Operations {
		c.operations[op] = &operation{Operation: c.responder.Operation(op), auth: auth.New(op), validator: validate.New(op)}
		c.asksCertificate = c.asksCertificate || c.operations[op].auth.AsksCertificate()
	}
	plan, onPlan := resource.Infer(document, resource.Overrides(o.State.Resources))
	c.catalog = control.NewCatalog(document, plan)
	values := generate.Options{
		Fill: o.Values.Fill, Examples: o.Values.Examples != "off", ImageURLs: o.Values.ImageURLs == "mock", Cache: cache,
	}
	c.resources = resources.Compile(plan, c.responder, resources.Options{
		Generate:      values,
		Seed:          o.Values.Seed,
		Dynamic:       o.Values.Dynamic,
		RefuseUnknown: o.State.UnknownItems == "refuse",
		Strict:        o.Validate == "strict",
		SeedItems:     o.State.SeedItems,
		Stateless:     o.State.Stateless,
		FirstKey:      o.firstKey(),
		Clock:         clock.now,
		ByClock:       clock.items,
		URL:           s.URL,
		Share:         o.share(),
		StoreFull:     s.warnDropped,
	})
	if o.State.Stateless {
		plan.Logins = nil // no answer depends on who logged in
	}
	access := logins.Options{
		TTL: o.Auth.TokenTTL, Seed: o.Values.Seed, Generate: values, Resources: c.resources, Responder: c.responder,
	}
	takesTokens := false
	if c.issuer, takesTokens = issuer.NewDocument(document); s.issuer != nil {
		if !takesTokens {
			return nil, &OptionError{"Auth.Mode", "no security scheme of the document takes the tokens of an issuer: " +
				"oauth2, openIdConnect or http bearer"}
		}
		access.Check = s.issuer.Check
		access.Sign = func(r *exchange.Request, user string, scopes []string) (string, error) {
			return s.issuer.Sign(r, c.issuer, user, scopes)
		}
	}
	c.logins = logins.Compile(plan, access)
	for _, op := range c.operations {
		hasLogin := c.logins.Has(op.Operation.Operation)
		op.stateful = op.Kept || strings.Contains(op.Path, "{") || hasLogin ||
			op.Documented != nil && slices.ContainsFunc(op.Documented.Content, (*spec.MediaType).IsEvents)
		if !o.State.Stateless {
			op.unbound = unboundOf(plan.Of(op.Operation.Operation))
		}
		b := plan.Of(op.Operation.Operation)
		if op.cursors = cursorsOf(b); b != nil && b.Resource != nil {
			op.role = &journal.Role{Does: b.Role.String(), Reason: b.Reason}
		}
	}
	loaded, onData, err := fixtures.Load(ctx, c.resources, c.router, o.fixtures(budget))
	switch {
	case errors.Is(err, context.Canceled):
		return nil, err
	case err != nil:
		return nil, &OptionError{"State.Data", err.Error()}
	case len(onData) > 0:
		return nil, &DataError{onData}
	}
	if size := loaded.View.Memory(); size > o.Limits.Memory/2 {
		return nil, &OptionError{"State.Data", fmt.Sprintf("the items take %d MiB of memory, more than half of the "+
			"%d MiB of Options.Limits.Memory; raise it", size>>20, o.Limits.Memory>>20)}
	}
	c.fixtures, c.data, c.dataSum = loaded.View, loaded.Files, loaded.Sum
	if o.opened != nil {
		if c.fixtures, err = o.opened.Initial.Load(); err != nil {
			return nil, &OptionError{"Session", "/initial" + err.Error()}
		}
	}
	if c.replay, err = c.recorded(ctx, o); err != nil {
		return nil, err
	}
	c.findings = slices.Concat(document.Findings, onPlan, onValues, onScenarios, loaded.Warnings)
	return c, nil
}

// recorded loads the recordings of the options; nil if there are none.
func (c *contract) recorded(ctx context.Context, o *Options) (*replay.Set, error) {
	if len(o.Replay.Files) == 0 {
		return nil, nil
	}
	set, err := loading.Until(ctx, func() (*replay.Set, error) {
		return replay.Load(ctx, c.replaying(o.Replay.Files, o.replayed()))
	})
	if ended, ok := errors.AsType[*loading.Ended](err); ok {
		return nil, fmt.Errorf("loading the recordings ended: %w", ended)
	} else if err != nil {
		return nil, &OptionError{"Replay.Files", err.Error()}
	}
	return set, nil
}

// replaying returns the options for recordings, of whose exchanges so many bytes may be kept.
func (c *contract) replaying(files []string, most int64) replay.Options {
	return replay.Options{
		Paths: files, Most: most, Bind: c.bindRecorded,
		Check: func(r *replay.Request, response *exchange.Response) []exchange.Finding {
			if slices.Contains(validate.RequestedStatuses(r.Header), response.Status) {
				return nil
			}
			return exchange.OfResponse(c.operations[r.Operation].validator.Response(r.Method, response))
		},
	}
}

// bindRecorded returns what a recorded request says, without its credentials; nil if no operation serves it.
func (c *contract) bindRecorded(r *exchange.Request) *replay.Request {
	var match route.Match
	operation, _ := c.find(r, &match)
	if operation == nil {
		return nil
	}
	return operation.said(c.secrets.Redact(r), match.Values)
}

// keep keeps an item of the collection at a path, as if it had been created there or listed alone.
func (c *contract) keep(items *state.State, path string, item any) bool {
	for _, method := range []string{"POST", "GET"} {
		r := c.bindRecorded(&exchange.Request{Method: method, Path: path})
		if r == nil {
			continue
		}
		status, body := 201, item
		if method == "GET" {
			status, body = 200, []any{item}
		}
		q := &respond.Request{
			Request: r.Request, Operation: c.operations[r.Operation].Operation, Values: r.Values, Preferences: prefer.None(),
		}
		response := &exchange.Response{
			Status: status, Header: exchange.Header{{Name: "Content-Type", Value: "application/json"}},
			Body: jsontext.Append(nil, body),
		}
		if len(c.adopt(&resources.Request{Request: q, Session: items}, response)) > 0 {
			return true
		}
	}
	return false
}

// adopt keeps what a recorded response says of items, and returns the items that it shows.
func (c *contract) adopt(q *resources.Request, r *exchange.Response) []*state.Item {
	switch isMissing := r.Status == http.StatusNotFound || r.Status == http.StatusGone; {
	case isMissing && q.Method == http.MethodGet:
		c.resources.AdoptMissing(q)
		return nil
	case r.Status/100 != 2:
		return nil
	}
	body, media, _ := c.operations[q.Operation.Operation].validator.DecodeResponse(q.Method, r)
	if media == nil {
		contentType, _ := r.Header.Get("Content-Type")
		body = jsontext.DecodeBody(contentType, r.Body)
	}
	return c.resources.Adopt(q, r.Header, media, body)
}

// said returns what a redacted request says.
func (o *operation) said(r *exchange.Request, variables []string) *replay.Request {
	values, _ := o.validator.Decode(r, variables)
	said := &replay.Request{Request: r, Operation: o.Operation.Operation, Values: values, Cursors: o.cursors}
	for _, f := range o.validator.Unknown(r) {
		if !prefer.IsTwin(f.Name) {
			said.Undeclared = append(said.Undeclared, f.Name)
		}
	}
	isMissing := func(f exchange.Finding) bool { return f.Code == auth.CodeMissing }
	said.Authorized = !slices.ContainsFunc(o.auth.Check(r), isMissing)
	return said
}

// cursorsOf returns the query parameters that repeat what an earlier response of a list said; nil if none.
func cursorsOf(b *resource.Binding) (names map[string]bool) {
	if b == nil || b.List == nil {
		return nil
	}
	for i := range b.List.Params {
		if p := &b.List.Params[i]; p.Role == resource.Cursor || p.Role == resource.CursorBefore {
			if names == nil {
				names = map[string]bool{}
			}
			names[p.Parameter.Name] = true
		}
	}
	return names
}

// bytesPerDatum is roughly the memory that a value of data needs while it is loaded: in its file, its tree, as a
// value and in its item.
const bytesPerDatum = 1 << 10

// fixtures returns the options of data. Data may have as many values as the document leaves of a budget, and no more
// than Memory can hold while they are loaded.
func (o *Options) fixtures(budget *loading.Budget) fixtures.Options {
	var texts []fixtures.Text
	for _, t := range o.State.DataTexts {
		texts = append(texts, fixtures.Text(t))
	}
	return fixtures.Options{
		Texts:         texts,
		Paths:         o.State.Data,
		Budget:        budget.Part(int(min(o.Limits.Memory/bytesPerDatum, math.MaxInt32)), "Options.Limits.Memory"),
		Limits:        state.Limits{Items: o.Limits.MaxItems, Bytes: o.Limits.MaxState},
		Seed:          o.Values.Seed,
		SeedItems:     o.State.SeedItems,
		RefuseUnknown: o.State.UnknownItems == "refuse",
	}
}

// Files returns the document that is served and its files, as Options.Document and Options.Files have them.
func (s *Server) Files() (document string, files map[string]string) { return s.current.Load().Texts() }

const builtIn = "plant-store.yaml" // the document that is served by default

func (o *Options) document(ctx context.Context, budget *loading.Budget) (*spec.Contract, error) {
	location, text := o.Document, o.Text
	var source spec.Source
	switch {
	case o.Files != nil:
		source = spec.Texts(o.Files)
	case location != "" || text != nil:
	case o.opened != nil:
		location, source = o.opened.Document.File, o.opened.Document.Texts
	default:
		location, text = builtIn, coldframe.PlantStore
	}
	return spec.Load(ctx, location, spec.Options{
		Text: text, Source: source, AnswersAsWritten: true, Budget: budget, AllowExternal: o.Load.AllowExternalRefs,
		Root: o.Load.RefsRoot, IgnoreUnreadable: o.Load.IgnoreUnreadableRefs, MaxBytes: o.Load.MaxDocument,
		Timeout: o.Load.Timeout,
	})
}

// book loads the scenarios, which may come from a pipe.
func (o *Options) book(ctx context.Context, document *spec.Contract) (*scenario.Book, []exchange.Finding, error) {
	var findings []exchange.Finding
	var texts []scenario.Text
	for _, t := range o.ScenarioTexts {
		texts = append(texts, scenario.Text(t))
	}
	book, err := loading.Until(ctx, func() (book *scenario.Book, err error) {
		book, findings, err = scenario.Load(document, texts, o.Scenarios...)
		return book, err
	})
	if ended, ok := errors.AsType[*loading.Ended](err); ok {
		return nil, nil, fmt.Errorf("loading the scenarios ended: %w", ended)
	} else if err != nil {
		return nil, nil, err
	}
	return book, findings, nil
}
