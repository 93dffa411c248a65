// Package contracts holds a backend to its OpenAPI document: it makes requests
// from the document, sends them, and checks every answer. run.go shows the way
// of a run.
package contracts

import (
	"context"
	"net/http"
	"time"

	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/spec"
)

// Options say what is tested and how. Document and URL are needed; the zero
// value of the rest is the default.
type Options struct {
	// Document is the file or http(s) URL of the OpenAPI document.
	Document string
	// Text is the document itself; Document then only names it.
	Text []byte
	// Contract is the document loaded already, in place of Document and Text.
	Contract *spec.Contract
	// AllowExternalRefs lets $refs leave the document's directory.
	AllowExternalRefs bool

	// URL is where the backend is. Requests go to its origin only; its path, if
	// any, comes before the document's.
	URL string

	// Token is sent for bearer, OAuth2 and OpenID schemes.
	Token string
	// User is sent for basic schemes: name:password.
	User string
	// APIKeys are sent for API keys, by the scheme's key in the document or by the
	// name of its parameter.
	APIKeys map[string]string
	// Headers are sent with every request, unless a case is about that field.
	Headers http.Header
	// RefreshToken makes a new Token, at start and when one is refused.
	RefreshToken func(context.Context) (string, error)

	// Phases and Checks name those that run. Default: all phases, and all checks
	// that are not strict. Strict adds those.
	Phases, Checks []string
	Strict         bool
	// Operations choose what is tested: "POST /plants", "/plants/*", "tag:plants",
	// an operationId or a glob of these; one that begins with "!" leaves out.
	// Default: all.
	Operations []string
	// ReadOnly sends GET and HEAD only.
	ReadOnly bool

	// Seed decides the cases: the same seed, the same cases.
	Seed uint64
	// MaxCases bounds the cases of a run, shared fairly between operations.
	// Default 50,000.
	MaxCases int
	// MaxTime ends the run. Default 5 minutes; what was not sent by then is
	// reported as left out.
	MaxTime time.Duration
	// FuzzCases is how many cases the phase fuzz makes for each operation. Default
	// 100.
	FuzzCases int
	// Rate is the most requests a second. Default: no bound.
	Rate float64
	// Workers is how many requests are on their way at once. Default 8.
	Workers int
	// Timeout bounds each request. Default 10 s.
	Timeout time.Duration
	// MaxResponseTime is the longest that an answer may take before that is a
	// finding. Default: none.
	MaxResponseTime time.Duration
	// Insecure takes any certificate.
	Insecure bool
	// Shard and Shards choose a part of the operations: 2 of 4. Default: all.
	Shard, Shards int

	// Setup gives values that exist at the backend.
	Setup *Setup
	// Baseline are the fingerprints of findings that are known.
	Baseline *Baseline
	// Resources corrects what is inferred of the document's resources.
	Resources resource.Overrides

	// Progress is told how far the run is, now and then and from one goroutine.
	Progress func(Progress)
	// Clock tells the time. Default time.Now.
	Clock func() time.Time

	sleep func(context.Context, time.Duration) error // waits; tests have their own
}

// Progress is how far a run is.
type Progress struct {
	Phase      string
	Operations int // in all
	Operation  int // those done in this phase
	Cases      int // sent so far
	Findings   int
	Left       time.Duration // at most
}

const (
	defaultMaxCases  = 50_000
	defaultMaxTime   = 5 * time.Minute
	defaultFuzzCases = 100
	defaultWorkers   = 8
)
