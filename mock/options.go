package mock

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/mock/internal/callbacks"
	"github.com/coldframe/coldframe/mock/internal/journal"
)

// Options say what the mock serves and how. The zero value serves the Plant
// Store on a free port of the loopback interface, without a log.
type Options struct {
	// Document is the file or http(s) URL of the OpenAPI document. Default: Text,
	// or the Plant Store.
	Document string
	// Text is the document itself; Document then only names it.
	Text []byte
	// AllowExternalRefs lets $refs leave the document's directory.
	AllowExternalRefs bool

	Host string // default 127.0.0.1
	Port int    // default 0: any free port
	// NoListener binds no address: Handler, Transport and Client answer.
	NoListener bool

	// Seed decides the generated values: the same seed, the same values.
	Seed uint64
	// Dynamic makes fresh values for every answer.
	Dynamic bool
	// Examples says whether documented examples are answers: "valid" (the
	// default) those that fit their schema, "as-is" all, "off" none.
	Examples string
	// Fill says which optional properties generated values have: "all" (the
	// default) or "required".
	Fill string

	// Scenarios are files, or directories of files, of package scenario.
	Scenarios []string

	// Data are files, or directories of files, of items that each session begins
	// with: see docs/state.md.
	Data []string

	// Validate says what becomes of an invalid request: "strict" (the default)
	// refuses it, "warn" reports it in the log and goes on, "off" does not look.
	Validate string
	// Undeclared says what becomes of query parameters that the document does not
	// know: "accept" (the default) or "refuse".
	Undeclared string
	// Auth says whether credentials are checked: "on" (the default) or "off".
	Auth string
	// CORS says whether browsers of other origins may read answers: "on" (the
	// default, any origin is echoed) or "off".
	CORS string

	// Callbacks says where callbacks and webhooks may be sent: "off" (the default)
	// nowhere, "loopback" to this machine, else to the hosts of a comma-separated
	// list, each with or without a port.
	Callbacks string
	allow     callbacks.Allow // of Callbacks

	// Delay comes before every answer. Default none.
	Delay time.Duration
	// MaxBody is the most bytes a request's body may have. Default 10 MiB.
	MaxBody int
	// MaxItems is how many created items are kept; the oldest go first.
	// Default 100,000.
	MaxItems int
	// MaxState is how many bytes of created items, keys and JSON, are kept; the
	// oldest go first. Default 256 MiB.
	MaxState int64

	// Journal is how many exchanges are kept for the control API, negative for
	// none. Default 1,000, in at most 16 MiB.
	Journal int
	// Control says whether the control API answers: "on" (the default) or "off",
	// which leaves its health.
	Control string
	// ControlPort is a port of the same host for the control API, which is then not
	// on Port, but for its health. FreePort is any that is free. Default 0: Port.
	ControlPort int
	// ControlToken is asked of the control API's clients, as a bearer token.
	// Default none.
	ControlToken string
	// Clock tells the time to the journal and the log, and to created items where
	// values are dynamic. Default time.Now.
	Clock func() time.Time

	// UnknownItems says how requests for items that nobody created are answered:
	// "generate" (the default) generates them from their keys, "refuse" answers
	// 404.
	UnknownItems string
	// Stateless makes every answer depend on its own request alone, so that the
	// same request gets the same bytes. Created items are kept for the control
	// API only, and UnknownItems has no effect.
	Stateless bool
	// SeedItems is how many items each collection begins with. Default 0.
	SeedItems int
	// MaxSessions is how many sessions there are beside that of those who name
	// none; the least recently used go first. Default 1,000.
	MaxSessions int
	// Resources corrects what is inferred of the document's resources. Default: no
	// corrections.
	Resources ResourceOverrides

	// Watch reloads the document and the scenarios when one of their files
	// changes.
	Watch bool

	// Log says how requests are logged to LogTo: "text" (the default), "json"
	// or "off".
	Log string
	// LogTo takes the log. Default: nowhere.
	LogTo io.Writer
	// Colour allows colours in the text log.
	Colour bool

	// TLSCert and TLSKey are the files of a certificate chain and its key, in
	// PEM; with both, the mock speaks https.
	TLSCert, TLSKey string
	// SelfSigned makes it speak https with a certificate made at start.
	SelfSigned bool
}

// ResourceOverrides correct what is inferred of a document's resources;
// ReadResourceOverrides makes them.
type ResourceOverrides = resource.Overrides

// ReadResourceOverrides reads corrections: an object in YAML or JSON like
// "resources" of coldframe.yaml, whose names are "METHOD path" or a path. name is
// that of the file, for findings.
func ReadResourceOverrides(name string, text []byte) (ResourceOverrides, error) {
	return resource.ReadOverrides(name, text)
}

// FreePort stands for any port that is free, where 0 means another thing.
const FreePort = -1

const (
	defaultMaxBody  = 10 << 20
	defaultMaxItems = 100_000
	maxSeedItems    = 10_000 // in each collection
)

// prepare checks the options and fills in the defaults.
func (o *Options) prepare() error {
	choices := []struct {
		name   string
		value  *string
		values []string // the first is the default
	}{
		{"Examples", &o.Examples, []string{"valid", "as-is", "off"}},
		{"Fill", &o.Fill, []string{"all", "required"}},
		{"Validate", &o.Validate, []string{"strict", "warn", "off"}},
		{"Undeclared", &o.Undeclared, []string{"accept", "refuse"}},
		{"Auth", &o.Auth, []string{"on", "off"}},
		{"CORS", &o.CORS, []string{"on", "off"}},
		{"Control", &o.Control, []string{"on", "off"}},
		{"UnknownItems", &o.UnknownItems, []string{"generate", "refuse"}},
		{"Log", &o.Log, []string{"text", "json", "off"}},
	}
	for _, c := range choices {
		if *c.value == "" {
			*c.value = c.values[0]
		}
		if !slices.Contains(c.values, *c.value) {
			return &OptionError{c.name, fmt.Sprintf("%q is none of %s", *c.value, strings.Join(c.values, ", "))}
		}
	}
	switch {
	case o.Port < 0 || o.Port > 65535:
		return &OptionError{"Port", fmt.Sprintf("%d is not between 0 and 65535", o.Port)}
	case o.ControlPort < FreePort || o.ControlPort > 65535:
		return &OptionError{"ControlPort", fmt.Sprintf("%d is not between 1 and 65535", o.ControlPort)}
	case o.ControlPort > 0 && o.ControlPort == o.Port:
		return &OptionError{"ControlPort", fmt.Sprintf("%d is the port of the mock; leave it out to have the control API there", o.Port)}
	case o.ControlPort != 0 && o.Control == "off":
		return &OptionError{"ControlPort", "the control API is off"}
	case o.ControlPort != 0 && o.NoListener:
		return &OptionError{"ControlPort", "there is to be no listener"}
	case o.Delay < 0:
		return &OptionError{"Delay", "it is negative"}
	case o.MaxBody < 0:
		return &OptionError{"MaxBody", "it is negative"}
	case o.MaxItems < 0:
		return &OptionError{"MaxItems", "it is negative"}
	case o.MaxState < 0:
		return &OptionError{"MaxState", "it is negative"}
	case len(o.Data) > 0 && o.Stateless:
		return &OptionError{"Data", "no answer of a stateless mock shows items"}
	case o.SeedItems < 0 || o.SeedItems > maxSeedItems:
		return &OptionError{"SeedItems", fmt.Sprintf("%d is not between 0 and %d", o.SeedItems, maxSeedItems)}
	case o.MaxSessions < 0:
		return &OptionError{"MaxSessions", "it is negative"}
	case (o.TLSCert == "") != (o.TLSKey == ""):
		return &OptionError{"TLSCert", "a certificate and its key are given together, as Options.TLSCert and Options.TLSKey"}
	case o.SelfSigned && o.TLSCert != "":
		return &OptionError{"SelfSigned", "a self-signed certificate excludes Options.TLSCert"}
	}
	var err error
	if o.allow, err = callbacks.ParseAllow(o.Callbacks); err != nil {
		return &OptionError{"Callbacks", err.Error()}
	}
	if o.Host == "" {
		o.Host = "127.0.0.1"
	}
	if o.MaxBody == 0 {
		o.MaxBody = defaultMaxBody
	}
	if o.MaxItems == 0 {
		o.MaxItems = defaultMaxItems
	}
	if o.Journal == 0 {
		o.Journal = journal.DefaultEntries
	}
	if o.Clock == nil {
		o.Clock = time.Now
	}
	if o.LogTo == nil {
		o.LogTo, o.Log = io.Discard, "off"
	}
	return nil
}

// OptionError is an option with a value that it cannot have.
type OptionError struct {
	Option string // the field of Options
	Reason string
}

func (e *OptionError) Error() string { return "option " + e.Option + ": " + e.Reason }

// sizeText gives a number of bytes for people.
func sizeText(n int) string {
	switch {
	case n >= 1<<20 && n%(1<<20) == 0:
		return strconv.Itoa(n>>20) + " MiB"
	case n >= 1<<10 && n%(1<<10) == 0:
		return strconv.Itoa(n>>10) + " KiB"
	}
	return strconv.Itoa(n) + " bytes"
}

// statusText gives the reason phrase of a status.
func statusText(status int) string {
	if text := http.StatusText(status); text != "" {
		return text
	}
	return fmt.Sprintf("Status %d", status)
}
