package unusual

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/coldframe/coldframe/internal/decode"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/route"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/validate"
)

// Token is the credential that the service takes from the start.
const Token = "token-5e0c81f3"

// Password is the password of the user with Token; username is the name.
const (
	username = "ada"
	Password = "analytical-engine"
)

// Service is one backend with its state. It is safe for concurrent use.
type Service struct {
	behaviour  Behaviour
	document   []byte
	contract   *spec.Contract
	router     *route.Router
	validators map[*spec.Operation]*validate.Validator

	mu          sync.Mutex // guards what follows
	collections map[string]*collection
	single      map[string]any  // the settings
	tokens      map[string]bool // those that are taken
	password    string
	ticks       int            // moments since the start
	state       map[string]any // what a behaviour remembers
	requests    int            // so far
	delayed     []delayed
	seeds       []*item
	before      string   // what the seeds were at the start
	wrong       []string // answers that are not as the document says
	lockedOut   int      // requests with Token after it was refused first
}

// New makes a service of a variant's document with a behaviour.
func New(ctx context.Context, v *Variant, b Behaviour) (*Service, error) {
	document, err := v.Document()
	if err != nil {
		return nil, err
	}
	c, err := spec.Load(ctx, v.Name+".json", spec.Options{Text: document})
	if err != nil {
		return nil, err
	}
	s := &Service{
		behaviour: b, document: document, contract: c, router: route.New(c), state: map[string]any{},
		validators: map[*spec.Operation]*validate.Validator{}, collections: map[string]*collection{},
		tokens: map[string]bool{Token: true}, password: Password,
		single: map[string]any{"language": "en", "pageSize": json.Number("20")},
	}
	for _, o := range c.Operations {
		s.validators[o] = validate.New(o)
	}
	s.seed()
	s.before = s.Seeds()
	return s, nil
}

// Handler serves the API.
func (s *Service) Handler() http.Handler {
	if s.behaviour.Serve != nil {
		return s.behaviour.Serve(s, s)
	}
	return s
}

// now is the service's time: a fixed day, a second later at each change.
func (s *Service) now() time.Time {
	s.ticks++
	return time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC).Add(time.Duration(s.ticks) * time.Second)
}

// call is one request on its way to its answer.
type call struct {
	*Service
	r       *http.Request
	op      *spec.Operation
	id      string            // the operation's
	path    map[string]string // its variables, decoded
	query   map[string]any
	header  map[string]any
	body    any
	hasBody bool
	raw     []byte
	answer  answer
	noTag   bool // the answer has no entity tag
	w       http.ResponseWriter
}

type answer struct {
	status int
	header http.Header
	kind   string // Content-Type; "" if there is no body
	body   []byte
}

const maxBody = 8 << 20

func (s *Service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c := &call{Service: s, r: r, w: w, answer: answer{header: http.Header{}}}
	c.raw, _ = io.ReadAll(io.LimitReader(r.Body, maxBody))
	s.mu.Lock()
	s.requests++
	if c.route() && c.authenticate() && !c.answered() && c.read() {
		c.handle()
	}
	if s.behaviour.After != nil && c.op != nil {
		s.behaviour.After(c)
	}
	if c.noTag {
		c.answer.header.Del("ETag")
	}
	c.validate()
	s.mu.Unlock()
	c.send()
}

func (c *call) answered() bool { return c.behaviour.Before != nil && c.behaviour.Before(c) }

// route finds the operation, or answers 404 or 405.
func (c *call) route() bool {
	var m route.Match
	path := c.r.URL.EscapedPath()
	if c.router.Find(c.r.Method, path, &m) == route.Found {
		c.op, c.id, c.path = m.Operation, m.Operation.ID, map[string]string{}
		for i, name := range m.Names {
			c.path[name], _ = url.PathUnescape(m.Values[i])
		}
		return true
	}
	if allowed := c.router.Allowed(path); len(allowed) > 0 {
		c.refuse(http.StatusMethodNotAllowed, "the method is not allowed here")
		c.answer.header.Set("Allow", strings.Join(allowed, ", "))
		return false
	}
	c.refuse(http.StatusNotFound, "no such path")
	return false
}

func (c *call) authenticate() bool {
	if len(c.op.Security) == 0 {
		return true
	}
	scheme, token, _ := strings.Cut(c.r.Header.Get("Authorization"), " ")
	token = strings.TrimSpace(token)
	if strings.EqualFold(scheme, "Bearer") && c.tokens[token] {
		return true
	}
	if token == Token && !c.tokens[Token] {
		c.lockedOut++
	}
	c.unauthorized("credentials are missing or wrong")
	return false
}

func (c *call) unauthorized(detail string) {
	c.refuse(http.StatusUnauthorized, detail)
	c.answer.header.Set("WWW-Authenticate", `Bearer realm="tasks"`)
}

// request is the request as the contract reads it.
func (c *call) request() *exchange.Request {
	r := &exchange.Request{Method: c.r.Method, Path: c.r.URL.EscapedPath(), Query: c.r.URL.RawQuery}
	for name, values := range c.r.Header {
		for _, value := range values {
			r.Header = append(r.Header, exchange.Field{Name: name, Value: value})
		}
	}
	if len(c.raw) > 0 {
		r.Body = c.raw
	}
	return r
}

// read validates the request against the document.
func (c *call) read() bool {
	var m route.Match
	c.router.Find(c.r.Method, c.r.URL.EscapedPath(), &m)
	values, found := c.validators[c.op].Request(c.request(), m.Values)
	c.query, c.header, c.body, c.hasBody = values.Query, values.Header, values.Body(), values.HasBody
	if len(found) == 0 {
		return true
	}
	status := http.StatusBadRequest
	for _, f := range found {
		if f.Code == decode.CodeMediaType || f.Code == decode.CodeContentType || f.Code == decode.CodeCharset ||
			f.Code == decode.CodeContentEncoding {
			status = http.StatusUnsupportedMediaType
		}
	}
	c.refuse(status, exchange.Join(found))
	return false
}

func (c *call) handle() {
	if f := c.behaviour.Handle[c.id]; f != nil {
		f(c)
		return
	}
	if f := handlers[c.id]; f != nil {
		f(c)
		return
	}
	panic("no handler for " + c.id)
}

// reply answers with a JSON value.
func (c *call) reply(status int, value any) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		panic(err) // only values that JSON has get here
	}
	c.answer.status, c.answer.kind, c.answer.body = status, "application/json", bytes.TrimSpace(b.Bytes())
}

// untagged leaves out the entity tag if the representation changes without the item (RFC 9110 section 8.8.1).
func (c *call) untagged() { c.noTag = true }

// bare answers without a body.
func (c *call) bare(status int) { c.answer.status, c.answer.kind, c.answer.body = status, "", nil }

// refuse answers with a problem (RFC 9457).
func (c *call) refuse(status int, detail string) {
	c.reply(status, map[string]any{"title": http.StatusText(status), "status": status, "detail": detail})
	c.answer.kind = "application/problem+json"
}

// validate notes where the answer is not as the document says. An unknown path and method are not in it.
func (c *call) validate() {
	if c.op == nil {
		return
	}
	answer := &exchange.Response{Status: c.answer.status, Body: c.answer.body}
	if c.r.Method == http.MethodHead {
		answer.Body = nil // send leaves it out
	}
	for name, values := range c.fields() {
		for _, value := range values {
			answer.Header = append(answer.Header, exchange.Field{Name: name, Value: value})
		}
	}
	if found := c.validators[c.op].Response(c.r.Method, answer); len(found) > 0 {
		line := fmt.Sprintf("%s: %d: %s: %s", c.id, c.answer.status, exchange.Join(found), c.answer.body)
		if !slices.Contains(c.wrong, line) && len(c.wrong) < 3 {
			c.wrong = append(c.wrong, line)
		}
	}
}

func (c *call) fields() http.Header {
	h := c.answer.header.Clone()
	if c.answer.kind != "" {
		h.Set("Content-Type", c.answer.kind)
	}
	return h
}

func (c *call) send() {
	for name, values := range c.fields() {
		c.w.Header()[name] = values
	}
	if c.answer.kind == "" && len(c.answer.body) > 0 {
		c.w.Header()["Content-Type"] = nil // keeps net/http from guessing
	}
	if !exchange.IsBodiless(c.answer.status) {
		c.w.Header().Set("Content-Length", strconv.Itoa(len(c.answer.body)))
	}
	c.w.WriteHeader(c.answer.status)
	if c.r.Method != http.MethodHead {
		c.w.Write(c.answer.body)
	}
}
