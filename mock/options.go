package mock

import (
	"cmp"
	"fmt"
	"io"
	"io/fs"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/coldframe/coldframe/internal/locales"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/values"
	"github.com/coldframe/coldframe/mock/internal/callbacks"
	"github.com/coldframe/coldframe/mock/internal/journal"
	"github.com/coldframe/coldframe/mock/internal/scenario"
	"github.com/coldframe/coldframe/mock/internal/state"
)

// Options say what the mock serves and how. The zero value serves the Plant Store on
// a free port of the loopback interface, without a log.
type Options struct {
	// Document is the file or the http(s) URL of the OpenAPI document. Default: Text, or the Plant Store.
	Document string
	// Text is the text of the document, which Document then only names.
	Text []byte
	// AllowExternalRefs lets $refs leave RefsRoot and reach other hosts.
	AllowExternalRefs bool
	// RefsRoot is the directory that $refs stay in. Default: the document's repository, which is the nearest
	// folder below the user's home with .git in it, else its own folder. Hidden files are not read.
	RefsRoot string
	// IgnoreUnreadableRefs has $refs whose file cannot be read accept everything. By default they are an error.
	IgnoreUnreadableRefs bool
	// LoadTimeout is how long loading the document, the scenarios and the data may take. Default 1 min.
	LoadTimeout time.Duration
	// MaxDocument is how many bytes one file of the document may have, of which it may hold one value for each 20;
	// all files together may have four times as many. Default 64 MiB.
	MaxDocument int

	Host string // default 127.0.0.1
	Port int    // default 0: any free port
	// AllowedHosts are names under which the server answers, beside Host, localhost, its subdomains and addresses:
	// "*.example.com" is any subdomain, "*" any name. Requests to others get 421, since a web page may have its
	// own name resolve to this machine. Handler and Transport answer to all. Default: none.
	AllowedHosts []string
	// TrustProxy has the addresses in answers (of pictures, links, Location and the issuer) be those that Forwarded, else
	// X-Forwarded-Proto and X-Forwarded-Host, name. It is for a mock that clients reach by a proxy alone, which sets
	// these fields itself: anybody else may write in them whatever they like. Which hosts the server answers to is
	// decided by Host. Default: the fields have no effect.
	TrustProxy bool
	// NoListener binds no address: Handler, Transport and Client answer.
	NoListener bool

	// Seed decides the generated values: the same seed gives the same values.
	Seed uint64
	// Locale is the language and the country of names, addresses, telephone numbers, currencies and some texts in
	// generated values: "en" (the default: English, towns of many countries), "de", "fr", … Locales lists all.
	Locale string
	// Dynamic generates fresh values for every answer, and serves no examples.
	Dynamic bool
	// Examples says which documented examples are served: "valid" (the default) those
	// that conform to their schema, "as-is" all, "off" none.
	Examples string
	// StrictResponses answers 500 where no value conforms to the document. Default: the answer is a value that is near,
	// with the field Coldframe-Nonconforming.
	StrictResponses bool
	// ImageURLs says where the URLs of pictures in generated values lead: "mock" (the default) to pictures that the
	// server makes itself, below /__coldframe/images/ of the address by which the client reached it, "example" to
	// example.com. Links of generated items to themselves lead to the mock likewise.
	ImageURLs string
	// Fill says which optional properties generated values have: "all" (the default) or "required".
	Fill string

	// Scenarios are scenario files, or directories of such: see docs/scenarios.md.
	Scenarios []string
	// ScenarioTexts are scenarios that no file has. They come before those of Scenarios.
	ScenarioTexts []Text

	// Data are files of the items that each session starts with, or directories of such: see docs/state.md.
	Data []string
	// DataTexts are what no file has, read as Data is.
	DataTexts []Text

	// Pages are files that GET answers where the document has no path: index.html at /, style.css at /style.css.
	// They may load nothing from elsewhere. Default: a page at / that says what is here.
	Pages fs.FS

	// Validate says how invalid requests are handled: "strict" (the default) refuses
	// them, "warn" logs the findings and answers, "off" does not validate.
	Validate string
	// Undeclared says how query parameters that the document does not declare are
	// handled: "accept" (the default) or "refuse".
	Undeclared string
	// Auth says whether credentials are checked: "on" (the default), "off", or "issuer": bearer tokens must be those that
	// the mock issues as an OAuth 2.0 and OpenID Connect issuer below /__coldframe/issuer, or by logins of the document.
	Auth string
	// RedirectURIs are URIs that the issuer may redirect to, each as a whole, beside those of this machine and of
	// AllowedHosts: com.example.app:/callback.
	RedirectURIs []string
	// Audiences are those that tokens of the issuer may be for, beside the addresses of the mock.
	Audiences []string
	// TokenTTL is how long the access tokens are good that the mock issues. Default: what the document gives as an
	// example, such as expires_in: 900, else 1 h.
	TokenTTL time.Duration
	// MutualTLS says how security schemes of type mutualTLS are met: "require" (the default) by any client
	// certificate over TLS, "assume" by every request, for a mock behind what checks certificates.
	MutualTLS string
	// CORS says whether pages of other origins may read answers: "on" (the default) all, those of this machine
	// and of AllowedHosts with credentials of the browser; or "off".
	CORS string
	// PrivateNetwork lets public sites reach the server in a private network.
	PrivateNetwork bool

	// Callbacks says where callbacks and webhooks may be sent: "off" (the default) nowhere, "loopback" to
	// this machine, else to the hosts of a comma-separated list, each with or without a port.
	Callbacks string
	allow     callbacks.Allow // of Callbacks

	// Delay is waited before every answer. Default 0.
	Delay time.Duration
	// RequestTimeout is how long making an answer may take, from the last byte of the request on; then it is 503.
	// Delays that are asked for, and what is streamed, do not count. Default 10 s.
	RequestTimeout time.Duration
	// ReadTimeout is how long a client may take to send a request, or to take an answer; then the connection is
	// closed, with 408 where that can still be said. Default 2 minutes.
	ReadTimeout time.Duration
	// MaxBody is how many bytes a request's body may have. Default 10 MiB.
	MaxBody int
	// MaxBodies is how many bytes the bodies of all requests in flight may have together, beside the first 8 KiB
	// of each; requests beyond it get 503. Default 64 MiB, or twice MaxBody where that is more.
	MaxBodies int64
	// MaxConnections is how many connections are open at a time; more get 503 and are closed. Default 1,000.
	MaxConnections int
	// MaxItems is how many items a session keeps; the oldest are dropped first. Default 100,000.
	MaxItems int
	// MaxState is how many bytes of items, keys and JSON, a session keeps; the oldest
	// are dropped first. Default 256 MiB.
	MaxState int64

	// Memory is how many bytes of memory all that grows takes: the sessions with their items, snapshots, logins and
	// idempotency keys, the journal, bodies to be sent again, and callbacks that wait. When it is full, sessions that
	// nobody has used for a minute are dropped first, then the oldest snapshots, idempotency keys and logins, and the
	// oldest items. The document, and requests that are being answered, come on top. Default 512 MiB, or twice MaxState
	// if that is more.
	Memory int64

	// Journal is how many exchanges the journal keeps, in at most 16 MiB and a 32nd of Memory; negative for none.
	// Default 1,000.
	Journal int
	// Control says whether the control API answers: "on" (the default), or "off" for
	// its health endpoint only.
	Control string
	// ControlPort is the port of the control API on the same host; Port then answers its
	// health endpoint only. FreePort is any free port. Default 0: Port.
	ControlPort int
	// ControlToken is the bearer token that clients of the control API must send. Default: none is needed on
	// a loopback address, and one is made elsewhere: see Server.ControlToken.
	ControlToken string
	// Clock gives the time of the journal, the log, expiry, scenarios and, with Dynamic, of created items.
	// It is called concurrently. Default time.Now.
	Clock func() time.Time
	// Now says what the time is: "session" (the default) has the times of items count from 2026-01-01T00:00:00Z, a second
	// for each change in a session, so that the same requests get the same times; "real" gives items the times of Clock,
	// and has generated times lie in the year before the day on which the document is loaded; "fixed", or "fixed:" and a
	// time (RFC 3339; default 2026-01-01T00:00:00Z), stands still, also for expiry and for after and now() of scenarios.
	Now string

	// UnknownItems says how requests for items that nobody created are answered: "generate" (the default)
	// generates them from their keys, "refuse" answers 404.
	UnknownItems string
	// Stateless makes every answer depend on its own request alone, so that the same request gets the same
	// bytes. Created items are kept for the control API only, and UnknownItems has no effect.
	Stateless bool
	// SeedItems is how many generated items each collection starts with, at most 10,000. Default 0.
	SeedItems int
	// MaxSessions is how many named sessions are kept; the least recently used are
	// dropped first. Default 1,000.
	MaxSessions int
	// Resources corrects what is inferred of the document's resources. Default: no corrections.
	Resources ResourceOverrides
	// Values say what generated values are, by the properties of schemas: see docs/values.md. Default: names and schemas
	// say it.
	Values ValueOverrides

	// Watch reloads the document, the scenarios and the data when one of their files changes.
	Watch bool

	// Log says how requests are logged to LogTo: "text" (the default), "json" or "off".
	Log string
	// LogTo receives the log. Default: no log.
	LogTo io.Writer
	// Colour allows colours in the text log.
	Colour bool

	// TLSCert and TLSKey are the PEM files of a certificate chain and its key, for
	// https. They are given together. Default: http.
	TLSCert, TLSKey string
	// SelfSigned serves https with a certificate that is generated at start.
	SelfSigned bool
}

// Text is a text, and the name by which messages call it as if it were a file.
type Text = scenario.Text

// ResourceOverrides correct what is inferred of a document's resources; ReadResourceOverrides makes them.
type ResourceOverrides = resource.Overrides

// ReadResourceOverrides reads corrections: an object in YAML or JSON like "resources" of coldframe.yaml,
// whose names are "METHOD path" or a path. name is that of the file, for findings.
func ReadResourceOverrides(name string, text []byte) (ResourceOverrides, error) {
	return resource.ReadOverrides(name, text)
}

// ValueOverrides say what generated values are; ReadValueOverrides makes them.
type ValueOverrides = values.Overrides

// ReadValueOverrides reads what generated values are: an object in YAML or JSON like "values" of coldframe.yaml,
// whose names are "Schema.property" or "METHOD path STATUS /pointer". name is that of the file, for findings.
func ReadValueOverrides(name string, text []byte) (ValueOverrides, error) {
	return values.ReadOverrides(name, text)
}

// FreePort is any free port, where 0 has another meaning.
const FreePort = -1

// share is the part of Memory that each has of the journal, its readers, waiting callbacks, bodies that were written
// before, items as lists show them, and the issuer.
func (o *Options) share() int { return int(min(o.Memory/32, journal.DefaultBytes)) }

const (
	defaultMaxBody        = 10 << 20
	defaultMaxBodies      = 64 << 20
	defaultMaxConnections = 1000
	defaultMaxItems       = 100_000
	maxSeedItems          = 10_000 // in each collection
)

func (o *Options) prepare() (err error) {
	for _, check := range []func() error{o.checkChoices, o.checkNumbers, o.checkTogether} {
		if err := check(); err != nil {
			return err
		}
	}
	if o.allow, err = callbacks.ParseAllow(o.Callbacks); err != nil {
		return &OptionError{"Callbacks", err.Error()}
	}
	o.Host = cmp.Or(o.Host, "127.0.0.1")
	o.RequestTimeout = cmp.Or(o.RequestTimeout, 10*time.Second)
	o.ReadTimeout = cmp.Or(o.ReadTimeout, 2*time.Minute)
	o.MaxBody = cmp.Or(o.MaxBody, defaultMaxBody)
	o.MaxBodies = cmp.Or(o.MaxBodies, max(defaultMaxBodies, 2*int64(o.MaxBody)))
	o.MaxConnections = cmp.Or(o.MaxConnections, defaultMaxConnections)
	o.MaxItems = cmp.Or(o.MaxItems, defaultMaxItems)
	o.Journal = cmp.Or(o.Journal, journal.DefaultEntries)
	o.Memory = cmp.Or(o.Memory, max(state.DefaultMemory, 2*min(o.MaxState, math.MaxInt64/2)))
	if o.Clock == nil {
		o.Clock = time.Now
	}
	if _, err := o.clock(); err != nil {
		return err
	}
	if o.LogTo == nil {
		o.LogTo, o.Log = io.Discard, "off"
	}
	return nil
}

// Locales are the values of Options.Locale, the default first.
func Locales() []string { return locales.Tags() }

// checkChoices checks the options that have one of a few values, of which the first is the default.
func (o *Options) checkChoices() error {
	for _, c := range []struct {
		name   string
		value  *string
		values []string
	}{
		{"Locale", &o.Locale, Locales()},
		{"Examples", &o.Examples, []string{"valid", "as-is", "off"}},
		{"ImageURLs", &o.ImageURLs, []string{"mock", "example"}},
		{"Fill", &o.Fill, []string{"all", "required"}},
		{"Validate", &o.Validate, []string{"strict", "warn", "off"}},
		{"Undeclared", &o.Undeclared, []string{"accept", "refuse"}},
		{"Auth", &o.Auth, []string{"on", "off", "issuer"}},
		{"MutualTLS", &o.MutualTLS, []string{"require", "assume"}},
		{"CORS", &o.CORS, []string{"on", "off"}},
		{"Control", &o.Control, []string{"on", "off"}},
		{"UnknownItems", &o.UnknownItems, []string{"generate", "refuse"}},
		{"Log", &o.Log, []string{"text", "json", "off"}},
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
		{"Port", int64(o.Port), 0, 65535},
		{"ControlPort", int64(o.ControlPort), FreePort, 65535},
		{"LoadTimeout", int64(o.LoadTimeout), 0, any},
		{"MaxDocument", int64(o.MaxDocument), 0, math.MaxInt32},
		{"Delay", int64(o.Delay), 0, any},
		{"TokenTTL", int64(o.TokenTTL), 0, any},
		{"RequestTimeout", int64(o.RequestTimeout), 0, any},
		{"ReadTimeout", int64(o.ReadTimeout), 0, any},
		{"MaxBody", int64(o.MaxBody), 0, any},
		{"MaxBodies", o.MaxBodies, 0, any},
		{"MaxConnections", int64(o.MaxConnections), 0, any},
		{"MaxItems", int64(o.MaxItems), 0, any},
		{"MaxState", o.MaxState, 0, any},
		{"Memory", o.Memory, 0, any},
		{"SeedItems", int64(o.SeedItems), 0, maxSeedItems},
		{"MaxSessions", int64(o.MaxSessions), 0, any},
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
	case o.ControlPort > 0 && o.ControlPort == o.Port:
		return &OptionError{"ControlPort",
			fmt.Sprintf("%d is the port of the mock; leave it out to have the control API there", o.Port)}
	case o.ControlPort != 0 && o.Control == "off":
		return &OptionError{"ControlPort", "the control API is off"}
	case o.ControlPort != 0 && o.NoListener:
		return &OptionError{"ControlPort", "there is to be no listener"}
	case o.MaxBodies > 0 && o.MaxBodies < int64(cmp.Or(o.MaxBody, defaultMaxBody)):
		return &OptionError{"MaxBodies", fmt.Sprintf("%s is less than one body may have; raise it, or lower Options.MaxBody",
			sizeText(int(o.MaxBodies)))}
	case slices.ContainsFunc(o.AllowedHosts, func(name string) bool { return strings.ContainsAny("."+name, "/: ") }):
		return &OptionError{"AllowedHosts", "it takes names without scheme and port, such as mock.example.com"}
	case len(o.Data)+len(o.DataTexts) > 0 && o.Stateless:
		return &OptionError{"Data", "no answer of a stateless mock shows items"}
	case (o.TLSCert == "") != (o.TLSKey == ""):
		return &OptionError{"TLSCert", "a certificate and its key are given together, as Options.TLSCert and Options.TLSKey"}
	case o.SelfSigned && o.TLSCert != "":
		return &OptionError{"SelfSigned", "a self-signed certificate excludes Options.TLSCert"}
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
