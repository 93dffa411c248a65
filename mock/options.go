package mock

import (
	"cmp"
	"crypto/tls"
	"fmt"
	"io"
	"io/fs"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/locales"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/tree"
	"github.com/coldframe/coldframe/internal/values"
	"github.com/coldframe/coldframe/internal/visible"
	"github.com/coldframe/coldframe/mock/internal/callbacks"
	"github.com/coldframe/coldframe/mock/internal/journal"
	"github.com/coldframe/coldframe/mock/internal/proxy"
	"github.com/coldframe/coldframe/mock/internal/sessionfile"
	"github.com/coldframe/coldframe/mock/internal/state"
	report "github.com/coldframe/coldframe/report/exchange"
)

// Options configure a mock. The zero value serves the Plant Store on a free port of the loopback interface, without a
// log.
type Options struct {
	// Document is the file or the http(s) URL of the OpenAPI document. Default: Text, or the Plant Store.
	Document string
	// Text is the text of the document. Document is then only its name.
	Text []byte
	// Files are the texts of the document and of the files that it refers to, by paths with slashes, instead of those on
	// the disk. Document is then one of the paths.
	Files map[string]string
	// Load says which files $refs may lead to, and what loading may cost.
	Load LoadOptions

	// Listen says where the server answers, and to whom.
	Listen ListenOptions
	// Auth sets which credentials are accepted.
	Auth AuthOptions

	// Values sets what generated values are.
	Values ValueOptions
	// State says which items sessions start with, and how unknown items are answered.
	State StateOptions
	// Proxy forwards requests to a real service instead of mocking it.
	Proxy ProxyOptions

	// Scenarios are files of rules that make responses differ, or directories of them: ScenarioSchema describes them, and
	// NewScenario writes one.
	Scenarios []string
	// ScenarioTexts are scenarios that are not in a file. They come before the files of Scenarios.
	ScenarioTexts []Text
	// Replay are recordings that answer requests before the mock does.
	Replay ReplayOptions
	// Session is a file that Session.Export has written: requests that name no session continue it. Its document is
	// served unless Document or Text is set, and its options replace those that decide responses: Values, Validate,
	// Undeclared, Delay, Now, and parts of State and Auth.
	Session []byte
	opened  *sessionfile.File // of Session
	ahead   time.Duration     // of the clock of sessions, before Clock
	// Pages are files that GET serves if the document does not have the path: index.html at /, style.css at
	// /style.css. They cannot load anything from other origins. Default: a page at / that describes the mock.
	Pages fs.FS

	// Validate sets how invalid requests are handled: "strict" (the default) refuses them, "warn" logs the findings
	// and answers, "off" does not validate.
	Validate string
	// Undeclared sets how query parameters that the document does not declare are handled: "accept" (the default) or
	// "refuse".
	Undeclared string
	// Callbacks sets where callbacks and webhooks may be sent: "off" (the default) nowhere, "loopback" to this
	// machine, else to the hosts of a comma-separated list, each with or without a port.
	Callbacks string
	allow     callbacks.Allow // of Callbacks
	upstream  *url.URL        // of Proxy; nil for a mock
	choices   *proxy.Choices  // of Proxy
	// Delay is the delay before every response. Default 0.
	Delay time.Duration

	// Clock returns the time of the journal, the log, expiry, scenarios and, unless Now says otherwise, of created and
	// changed items. It is called concurrently. Default time.Now.
	Clock func() time.Time
	// Now sets the clock of created and changed items. With "real" (the default) they get the times of Clock, and with
	// "recent" generated times also lie in the year before the day on which the document is loaded. With "session"
	// times count from 2026-01-01T00:00:00Z, a second for each change in a session, so that the same requests get the
	// same times. "fixed", or "fixed:" and a time (RFC 3339; default 2026-01-01T00:00:00Z), stands still, also for
	// expiry and for after and now() of scenarios.
	Now string
	// Watch reloads the document, the scenarios and the data when one of their files changes.
	Watch bool

	// Limits bound what requests and sessions take.
	Limits Limits
	// Control is the control API, and the journal that it reads.
	Control ControlOptions
	// Log is the log of requests.
	Log LogOptions
}

// LoadOptions say which files the $refs of a document may lead to, and what loading may cost.
type LoadOptions struct {
	// AllowExternalRefs lets $refs leave RefsRoot and reach other hosts.
	AllowExternalRefs bool
	// RefsRoot is the directory that $refs must stay in. Default: the document's repository (the nearest folder below
	// the user's home with .git in it), else its own folder. Hidden files are not read.
	RefsRoot string
	// IgnoreUnreadableRefs makes $refs whose file cannot be read accept everything. By default they are an error.
	IgnoreUnreadableRefs bool
	// Timeout limits the time for loading the document, the scenarios and the data. Default 1 min.
	Timeout time.Duration
	// MaxDocument is the largest size of one file of the document in bytes. A file may have one value for each 20
	// bytes of this size; all files together may have four times as many. Default 64 MiB.
	MaxDocument int
}

// ListenOptions say where the server answers, and to whom.
type ListenOptions struct {
	Host string // default 127.0.0.1
	Port int    // default 0: any free port
	// AllowedHosts are names under which the server answers, beside Host, localhost, its subdomains and addresses:
	// "*.example.com" is any subdomain, "*" any name. Requests to other names get 421, because a web page could make
	// its own name resolve to this machine. Handler and Transport answer to all names. Default: none.
	AllowedHosts []string
	// TrustProxy takes the address in responses (in URLs of pictures, links, Location and the issuer) from Forwarded,
	// else from X-Forwarded-Proto and X-Forwarded-Host. Use it only if clients reach the mock through a proxy that
	// sets these fields itself; otherwise clients can write anything into them. Host alone decides whether the server
	// answers. Default: the fields have no effect.
	TrustProxy bool
	// NoListener binds no address. Use Handler, Transport or Client.
	NoListener bool

	// CORS sets whether pages of other origins may read responses: "on" (the default) or "off". Only pages of this
	// machine and of AllowedHosts may read them with the browser's credentials.
	CORS string
	// PrivateNetwork lets pages of public sites reach the server in a private network.
	PrivateNetwork bool

	// TLSCert and TLSKey are the PEM files of a certificate chain and its key, for https. Set both or neither.
	// Default: http.
	TLSCert, TLSKey string
	// SelfSigned serves https with a certificate that is generated at start.
	SelfSigned bool
}

// AuthOptions say which credentials are accepted, and configure the issuer of tokens.
type AuthOptions struct {
	// Mode sets whether credentials are checked: "on" (the default), "off", or "issuer". With "issuer" the mock is an
	// OAuth 2.0 and OpenID Connect issuer below /__coldframe/issuer, and accepts only bearer tokens from there or
	// from logins of the document.
	Mode string
	// RedirectURIs are complete URIs that the issuer may redirect to, beside URIs of this machine and of
	// Listen.AllowedHosts: com.example.app:/callback.
	RedirectURIs []string
	// Audiences are audiences of the issuer's tokens, beside the addresses of the mock.
	Audiences []string
	// TokenTTL is the lifetime of access tokens that the mock issues. Default: the document's example, such as
	// expires_in: 900, else 1 h.
	TokenTTL time.Duration
	// MutualTLS sets how security schemes of type mutualTLS are met: "require" (the default) by any client
	// certificate over TLS, "assume" by every request, if a proxy in front of the mock checks certificates.
	MutualTLS string
}

// ValueOptions say what generated values are.
type ValueOptions struct {
	// Seed selects the generated values: the same seed produces the same values.
	Seed uint64
	// Locale is the language and the country of names, addresses, telephone numbers, currencies and some texts in
	// generated values: "en" (the default: English, towns of many countries), "de", "fr", … Locales lists all.
	Locale string
	// Dynamic generates fresh values for every response, and serves no examples.
	Dynamic bool
	// Examples selects the documented examples to serve: "valid" (the default) those that conform to their schema,
	// "as-is" all, "off" none.
	Examples string
	// StrictResponses answers 500 if no value conforms to the document. Default: the response has the nearest value,
	// and the field Coldframe-Nonconforming.
	StrictResponses bool
	// ImageURLs sets where the URLs of pictures in generated values point: "mock" (the default) to pictures that the
	// server draws, below /__coldframe/images/ of the address by which the client reached it, or "example" to
	// example.com. Links of generated items to themselves follow the same setting.
	ImageURLs string
	// Fill selects the optional properties of generated values: "all" (the default) or "required".
	Fill string
	// Overrides set generated values by property: see ReadValueOverrides. Default: the values follow from names and
	// schemas.
	Overrides ValueOverrides
}

// StateOptions say which items each session starts with, and how unknown items are answered.
type StateOptions struct {
	// Data are files with the initial items of sessions, in YAML or JSON, or directories of them. A file is an object of
	// collections, by name or path: {"plants": [{"id": "fern"}], "/owners/7/plants": []}.
	Data []string
	// DataTexts are initial items that are not in a file, in the format of Data.
	DataTexts []Text
	// SeedItems is the number of generated items in each collection at the start, at most 10,000. Default 0.
	SeedItems int
	// UnknownItems sets how requests for items that nobody created are answered: "generate" (the default) generates
	// the item from its key, "refuse" answers 404.
	UnknownItems string
	// Stateless makes every response depend on its own request alone, so that the same request gets the same bytes.
	// Created items are kept for the control API only, and UnknownItems has no effect.
	Stateless bool
	// Resources corrects the inference of the document's resources. Default: no corrections.
	Resources ResourceOverrides
}

// ProxyOptions make the server forward requests to a real service, and report where requests and responses leave the
// document: see docs/proxy.md. The control API then has a port of its own, because the service's pages have the origin
// of the server.
type ProxyOptions struct {
	// Upstream is the URL of the service: https://api.example.com, whose paths are the document's with its base paths,
	// or https://api.example.com/v2, which replaces these. Default: none, which serves a mock.
	Upstream string
	// Header has fields that replace those of each forwarded request.
	Header http.Header
	// TLS is for a service with https. Default: the certificates of the system.
	TLS *tls.Config
	// Mock and Forward are the operations that are mocked and those that are forwarded: "POST /orders", "/orders/*",
	// "tag:billing", an operationId or a glob of these. Forward wins. Default: all are forwarded, and with Forward alone
	// all others are mocked.
	Mock, Forward []string
	// Fallback lists the failures of the service after which a request is mocked: "501", "404" (of an operation that the
	// service does not have), "unreachable", "timeout", "malformed". An operation that answered 501 or 404 is mocked for
	// half a minute. Default: 501 and unreachable. "off" is for none.
	Fallback []string
	// OnUpstreamError sets what follows "unreachable", "timeout" and "malformed": "fallback" (the default) does as
	// Fallback says, "mock" mocks the request, "502" answers 502 or 504.
	OnUpstreamError string
	// Timeout limits the time from the end of a request to the head of its response; after it the response is a 504.
	// Default: one minute.
	Timeout time.Duration
	// Enforce refuses what leaves the document instead of only reporting it: "off" (the default), "requests" (400),
	// "responses" (502) or "both".
	Enforce string
	// ConsumerHeader is the field by which the journal tells consumers apart. Default: by session, else by the first
	// product of User-Agent.
	ConsumerHeader string
	// Record is a file to which exchanges are written as HAR 1.2, without credentials, or a directory that gets a new
	// file. A file that exists is continued. Default: none.
	Record string
	// Learn asks the mock for its response to each forwarded request, too, in a copy of the session, and counts how it
	// differs from the upstream's: see Server.Learned.
	Learn bool
	// Observe is called with each forwarded exchange after its response was sent, concurrently. Credentials are in it.
	Observe func(*report.Recorded)
}

// ReplayOptions answer requests with recorded exchanges. A request is compared by its operation, parameters and body.
// If no exchange matches, dates, times, readOnly properties, cursors and undocumented parameters are left out.
// Exchanges with the same request answer in the recorded order, in each session separately, and the last one repeats.
type ReplayOptions struct {
	// Files are recordings, HAR or the journal of a mock, or directories of *.har files. The exchanges take up to a
	// quarter of Limits.Memory. Default: none.
	Files []string
	// Strict refuses requests that no recorded exchange answers, with a 501. Default: the mock answers them.
	Strict bool
}

// ProxyFallbacks are the values of Options.Proxy.Fallback, without "off".
func ProxyFallbacks() []string { return slices.Clone(proxy.Fallbacks) }

// Limits bound what requests and sessions take. Zero is the default of each.
type Limits struct {
	// RequestTimeout limits the time for making a response, from the last byte of the request on; after it the
	// response is a 503. Requested delays and streaming do not count. Default 10 s.
	RequestTimeout time.Duration
	// ReadTimeout limits the time in which a client sends a request or takes a response. After it the connection is
	// closed, with a 408 if possible. Default 2 minutes.
	ReadTimeout time.Duration
	// MaxBody is the largest size of a request's body in bytes. Default 10 MiB.
	MaxBody int
	// MaxBodies limits the bodies of all requests in flight together, in bytes, beside the first 8 KiB of each;
	// further requests get 503. Default 64 MiB, or twice MaxBody if that is more.
	MaxBodies int64
	// MaxConnections limits the open connections; further ones get 503 and are closed. Default 1,000.
	MaxConnections int

	// MaxItems limits the items of a session; the oldest are dropped first. Default 100,000.
	MaxItems int
	// MaxState limits the size of a session's items, keys and JSON, in bytes; the oldest items are dropped first.
	// Default 256 MiB.
	MaxState int64
	// MaxSessions limits the named sessions; the least recently used are dropped first. Default 1,000.
	MaxSessions int
	// Memory limits the memory of everything that grows, in bytes: the sessions with their items, snapshots, logins
	// and idempotency keys, the journal, bodies to be sent again, and waiting callbacks. When it is full, the mock drops
	// first sessions that nobody has used for a minute, then the oldest snapshots, idempotency keys and logins, then
	// the oldest items. The document and requests in flight need memory beside it. Default 512 MiB, or twice MaxState
	// if that is more.
	Memory int64
}

// ControlOptions configure the control API below /__coldframe/, and the journal, its record of exchanges.
type ControlOptions struct {
	// Mode turns on the control API: "on" (the default), or "off" for its health endpoint only.
	Mode string
	// Port is the port of the control API on the same host; Listen.Port then answers its health endpoint only.
	// FreePort is any free port. Default 0: Listen.Port.
	Port int
	// Token is the bearer token that clients of the control API must send. Default: none on a loopback
	// address, and a generated one on others: see Server.ControlToken.
	Token string
	// Handlers are further endpoints below /__coldframe/, by name, such as "mcp". They get the requests that the control
	// API takes: from its origins, with its token. Each is made once for the server. Default: none.
	Handlers map[string]func(*Server) http.Handler
	// AllowEdit lets the control API write scenario files, in the folders of Options.Scenarios only.
	AllowEdit bool
	// ReadOnlyConsole makes the control API refuse changes by pages in a browser. Other clients are not affected.
	ReadOnlyConsole bool
	// Journal is the number of exchanges that the journal keeps, in at most 16 MiB and a 32nd of Limits.Memory;
	// negative: it keeps none. Default 1,000.
	Journal int
}

// LogOptions say how requests are logged.
type LogOptions struct {
	// To receives the log. Default: no log.
	To io.Writer
	// Format is the format of the log of requests in To: "text" (the default), "json" or "off".
	Format string
	// Colour allows colours in the text log.
	Colour bool
}

// Text is a file that is not on disk, such as one of an embed.FS.
type Text struct {
	Name string // by which messages call it
	Text []byte
}

// ResourceOverrides correct what is inferred of a document's resources. ReadResourceOverrides makes them from a text;
// the zero value corrects nothing.
type ResourceOverrides struct {
	Resources *tree.Node // the text, parsed; nil for no corrections
}

// ReadResourceOverrides reads corrections: an object in YAML or JSON, like "resources" of coldframe.yaml, with a name
// for each path, "METHOD path" or operationId to correct:
//
//	/plants: {name: plants, key: slug}               # one resource; slug is the key of its items
//	POST /plants/search: {role: list, items: /data}  # lists them, in the property data
//	POST /plants/{id}/pot: {sets: "state=potted"}    # sets a property of the item
//	/notes: {parent: plants, parentKey: subject}     # notes on plants: subject has the key of one
//	POST /sessions: {login: login}                   # returns tokens; also logout, refresh, none
//	/health: false                                   # no resource
//
// name is the name of the file, for messages. The error says that the text is not YAML or JSON; Server.Info has
// findings on names and keys that do not fit the document.
func ReadResourceOverrides(name string, text []byte) (ResourceOverrides, error) {
	o, err := resource.ReadOverrides(name, text)
	return ResourceOverrides(o), err
}

// ValueOverrides set generated values. ReadValueOverrides makes them from a text; the zero value sets nothing.
type ValueOverrides struct {
	Values *tree.Node // the text, parsed; nil for no settings
}

// ReadValueOverrides reads settings for generated values: an object in YAML or JSON, like "values" of coldframe.yaml,
// with a name for each "Schema.property" or "METHOD path STATUS /pointer":
//
//	Plant.name: {faker: plant}                            # Monstera, Golden Pothos, …
//	User.email: ada@example.org                           # always this
//	User.plan: [free, free, paid]                         # one of these
//	GET /orders 200 /items/*/price: {min: 5, max: 50}
//
// docs/values.md lists the functions of faker. name is the name of the file, for messages. The error says that the text
// is not YAML or JSON; Server.Info has findings on names and values that do not fit the document.
func ReadValueOverrides(name string, text []byte) (ValueOverrides, error) {
	o, err := values.ReadOverrides(name, text)
	return ValueOverrides(o), err
}

// FreePort means any free port in fields whose zero value has another meaning.
const FreePort = -1

// share is the part of Memory that each has of the journal, its readers, waiting callbacks, remembered answers, items
// as lists show them, what is selected of lists, their orders, and the issuer.
func (o *Options) share() int { return int(min(o.Limits.Memory/32, journal.DefaultBytes)) }

// replayed is the part of Memory that recorded exchanges may take.
func (o *Options) replayed() int64 {
	if len(o.Replay.Files) == 0 {
		return 0
	}
	return o.Limits.Memory / 4
}

const (
	defaultMaxBody        = 10 << 20
	defaultMaxBodies      = 64 << 20
	defaultMaxConnections = 1000
	defaultMaxItems       = 100_000
	maxSeedItems          = 10_000 // in each collection
)

func (o *Options) prepare() (err error) {
	if o.Clock == nil {
		o.Clock = time.Now
	}
	if err := o.openSession(); err != nil {
		return err
	}
	for _, check := range []func() error{o.checkChoices, o.checkNumbers, o.checkTogether} {
		if err := check(); err != nil {
			return err
		}
	}
	if o.allow, err = callbacks.ParseAllow(o.Callbacks); err != nil {
		return &OptionError{"Callbacks", err.Error()}
	}
	o.Listen.Host = cmp.Or(o.Listen.Host, "127.0.0.1")
	o.Limits.RequestTimeout = cmp.Or(o.Limits.RequestTimeout, 10*time.Second)
	o.Limits.ReadTimeout = cmp.Or(o.Limits.ReadTimeout, 2*time.Minute)
	o.Limits.MaxBody = cmp.Or(o.Limits.MaxBody, defaultMaxBody)
	o.Limits.MaxBodies = cmp.Or(o.Limits.MaxBodies, max(defaultMaxBodies, 2*int64(o.Limits.MaxBody)))
	o.Limits.MaxConnections = cmp.Or(o.Limits.MaxConnections, defaultMaxConnections)
	o.Limits.MaxItems = cmp.Or(o.Limits.MaxItems, defaultMaxItems)
	o.Control.Journal = cmp.Or(o.Control.Journal, journal.DefaultEntries)
	o.Limits.Memory = cmp.Or(o.Limits.Memory, max(state.DefaultMemory, 2*min(o.Limits.MaxState, math.MaxInt64/2)))
	if err := o.checkUpstream(); err != nil {
		return err
	}
	if _, err := o.clock(); err != nil {
		return err
	}
	if o.Log.To == nil {
		o.Log.To, o.Log.Format = io.Discard, "off"
	}
	return nil
}

// checkUpstream parses the URL of the upstream.
func (o *Options) checkUpstream() error {
	if o.Proxy.Upstream == "" {
		return nil
	}
	u, err := url.Parse(o.Proxy.Upstream)
	switch {
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
		return &OptionError{"Proxy.Upstream", exchange.Quote(visible.WithoutUserinfo(o.Proxy.Upstream)) +
			" is not of the form https://api.example.com/v1"}
	case u.User != nil:
		return &OptionError{"Proxy.Upstream", "credentials do not belong into the URL; send them as a field Authorization"}
	case u.RawQuery != "" || u.Fragment != "":
		return &OptionError{"Proxy.Upstream", "it has a query or a fragment; only scheme, host and path count"}
	}
	o.upstream = u
	if o.Proxy.Fallback == nil {
		o.Proxy.Fallback = []string{"501", "unreachable"}
	}
	switch o.Proxy.OnUpstreamError {
	case "", "fallback":
	case "mock":
		o.Proxy.Fallback = append(slices.Clip(o.Proxy.Fallback), proxy.Errors...)
	case "502":
		isError := func(f string) bool { return slices.Contains(proxy.Errors, f) }
		o.Proxy.Fallback = slices.DeleteFunc(slices.Clone(o.Proxy.Fallback), isError)
	default:
		given := fmt.Sprintf("%q is none of fallback, mock, 502", o.Proxy.OnUpstreamError)
		return &OptionError{"Proxy.OnUpstreamError", given}
	}
	for _, f := range o.Proxy.Fallback {
		if f != "off" && !slices.Contains(proxy.Fallbacks, f) {
			return &OptionError{"Proxy.Fallback", fmt.Sprintf("%q is none of off, %s", f, strings.Join(proxy.Fallbacks, ", "))}
		}
	}
	if o.choices, err = proxy.NewChoices(o.Proxy.Mock, o.Proxy.Forward, o.Proxy.Fallback, o.Clock); err != nil {
		return &OptionError{"Proxy.Mock", err.Error()}
	}
	if o.Control.Port == 0 && o.Control.Mode != "off" {
		o.Control.Port = FreePort
	}
	return nil
}

// isNoHost reports whether a text is not the name of a host.
func isNoHost(name string) bool { return strings.ContainsAny("."+name, "/: ") }

// Locales are the values of Options.Values.Locale, the default first.
func Locales() []string { return locales.Tags() }

// checkChoices checks the options that have one of a few values. The first value is the default.
func (o *Options) checkChoices() error {
	for _, c := range []struct {
		name   string
		value  *string
		values []string
	}{
		{"Values.Locale", &o.Values.Locale, Locales()},
		{"Values.Examples", &o.Values.Examples, []string{"valid", "as-is", "off"}},
		{"Values.ImageURLs", &o.Values.ImageURLs, []string{"mock", "example"}},
		{"Values.Fill", &o.Values.Fill, []string{"all", "required"}},
		{"Validate", &o.Validate, []string{"strict", "warn", "off"}},
		{"Undeclared", &o.Undeclared, []string{"accept", "refuse"}},
		{"Auth.Mode", &o.Auth.Mode, []string{"on", "off", "issuer"}},
		{"Auth.MutualTLS", &o.Auth.MutualTLS, []string{"require", "assume"}},
		{"Listen.CORS", &o.Listen.CORS, []string{"on", "off"}},
		{"Control.Mode", &o.Control.Mode, []string{"on", "off"}},
		{"State.UnknownItems", &o.State.UnknownItems, []string{"generate", "refuse"}},
		{"Log.Format", &o.Log.Format, []string{"text", "json", "off"}},
		{"Proxy.Enforce", &o.Proxy.Enforce, []string{"off", "requests", "responses", "both"}},
	} {
		*c.value = cmp.Or(*c.value, c.values[0])
		if !slices.Contains(c.values, *c.value) {
			return &OptionError{c.name, fmt.Sprintf("%q is none of %s", *c.value, strings.Join(c.values, ", "))}
		}
	}
	return nil
}

func (o *Options) checkNumbers() error {
	const any = math.MaxInt64
	for _, n := range []struct {
		name               string
		value, least, most int64
	}{
		{"Listen.Port", int64(o.Listen.Port), 0, 65535},
		{"Control.Port", int64(o.Control.Port), FreePort, 65535},
		{"Load.Timeout", int64(o.Load.Timeout), 0, any},
		{"Load.MaxDocument", int64(o.Load.MaxDocument), 0, math.MaxInt32},
		{"Delay", int64(o.Delay), 0, any},
		{"Auth.TokenTTL", int64(o.Auth.TokenTTL), 0, any},
		{"Limits.RequestTimeout", int64(o.Limits.RequestTimeout), 0, any},
		{"Limits.ReadTimeout", int64(o.Limits.ReadTimeout), 0, any},
		{"Limits.MaxBody", int64(o.Limits.MaxBody), 0, any},
		{"Limits.MaxBodies", o.Limits.MaxBodies, 0, any},
		{"Limits.MaxConnections", int64(o.Limits.MaxConnections), 0, any},
		{"Limits.MaxItems", int64(o.Limits.MaxItems), 0, any},
		{"Limits.MaxState", o.Limits.MaxState, 0, any},
		{"Limits.Memory", o.Limits.Memory, 0, any},
		{"State.SeedItems", int64(o.State.SeedItems), 0, maxSeedItems},
		{"Limits.MaxSessions", int64(o.Limits.MaxSessions), 0, any},
		{"Proxy.Timeout", int64(o.Proxy.Timeout), 0, any},
	} {
		switch {
		case n.value >= n.least && n.value <= n.most:
		case n.most == any:
			return &OptionError{n.name, "it is negative"}
		default:
			return &OptionError{n.name, fmt.Sprintf("%d is not between %d and %d", n.value, max(n.least, 0), n.most)}
		}
	}
	return nil
}

func (o *Options) checkTogether() error {
	switch {
	case o.Control.Port > 0 && o.Control.Port == o.Listen.Port:
		return &OptionError{"Control.Port",
			fmt.Sprintf("%d is the port of the mock; leave it out to have the control API there", o.Listen.Port)}
	case o.Control.Port != 0 && o.Control.Mode == "off":
		return &OptionError{"Control.Port", "the control API is off"}
	case o.Proxy.Upstream != "" && o.Listen.NoListener:
		return &OptionError{"Proxy.Upstream", "a proxy needs a listener"}
	case o.Control.Port != 0 && o.Listen.NoListener:
		return &OptionError{"Control.Port", "there is to be no listener"}
	case o.Limits.MaxBodies > 0 && o.Limits.MaxBodies < int64(cmp.Or(o.Limits.MaxBody, defaultMaxBody)):
		return &OptionError{"Limits.MaxBodies", fmt.Sprintf(
			"%s is less than one body may have; raise it, or lower Options.Limits.MaxBody", sizeText(int(o.Limits.MaxBodies)))}
	case slices.ContainsFunc(o.Listen.AllowedHosts, isNoHost):
		return &OptionError{"Listen.AllowedHosts", "it takes names without scheme and port, such as mock.example.com"}
	case len(o.State.Data)+len(o.State.DataTexts) > 0 && o.State.Stateless:
		return &OptionError{"State.Data", "no answer of a stateless mock shows items"}
	case o.Replay.Strict && len(o.Replay.Files) == 0:
		return &OptionError{"Replay.Strict", "there is no recording; see Options.Replay.Files"}
	case (o.Listen.TLSCert == "") != (o.Listen.TLSKey == ""):
		return &OptionError{"Listen.TLSCert", "a certificate and its key are given together, as " +
			"Options.Listen.TLSCert and Options.Listen.TLSKey"}
	case o.Listen.SelfSigned && o.Listen.TLSCert != "":
		return &OptionError{"Listen.SelfSigned", "a self-signed certificate excludes Options.Listen.TLSCert"}
	}
	return nil
}

// OptionError reports an option with a value that is not allowed.
type OptionError struct {
	Option string // the field of Options
	Reason string
}

func (e *OptionError) Error() string { return "option " + e.Option + ": " + e.Reason }

func sizeText(n int) string {
	switch {
	case n >= 1<<20 && n%(1<<20) == 0:
		return strconv.Itoa(n>>20) + " MiB"
	case n >= 1<<10 && n%(1<<10) == 0:
		return strconv.Itoa(n>>10) + " KiB"
	}
	return strconv.Itoa(n) + " bytes"
}
