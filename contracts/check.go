package contracts

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"net/url"
	"os"
	"time"

	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/contracts/internal/recording"
	"github.com/coldframe/coldframe/internal/auth"
	"github.com/coldframe/coldframe/internal/route"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/validate"
)

// CheckOptions say which recorded traffic is held to which document. Document
// and File, or what stands in their place, are needed; the zero value of the rest
// is the default.
type CheckOptions struct {
	// Document is the file or http(s) URL of the OpenAPI document.
	Document string
	// Text is the document itself; Document then only names it.
	Text []byte
	// Contract is the document loaded already, in place of Document and Text.
	Contract *spec.Contract
	// AllowExternalRefs lets $refs leave the document's directory.
	AllowExternalRefs bool

	// File is the recording: HAR 1.2, or the mock's journal as its control API
	// gives it.
	File string
	// Traffic is the recording itself; File then only names it.
	Traffic io.Reader

	// URL is where the backend was: what went to other origins, or beside its
	// path, is left out. Default: all whose path the document has is judged.
	URL string
	// Checks names those that judge. Default: all that are not strict. Strict adds
	// those.
	Checks []string
	Strict bool
	// Operations choose what is judged, as Options.Operations. Default: all.
	Operations []string
	// MaxResponseTime is the longest that an answer may have taken before that is a
	// finding. Default: none.
	MaxResponseTime time.Duration
	// Baseline are the fingerprints of findings that are known.
	Baseline *Baseline
	// Clock tells the time. Default time.Now.
	Clock func() time.Time
}

// recordedPhase is where recorded exchanges are counted.
var recordedPhase = &Phase{ID: "recorded", Meaning: "what was recorded"}

// Check holds recorded traffic to its document: the requests as well as the
// answers. An error says that nothing could be judged, or which entry of the
// recording cannot be read. The context's end cuts it short; the report is whole
// all the same.
func Check(ctx context.Context, o CheckOptions) (*Report, error) {
	k, err := newChecking(ctx, &o)
	if err != nil {
		return nil, err
	}
	traffic := o.Traffic
	if traffic == nil {
		file, err := os.Open(o.File)
		if err != nil {
			return nil, err
		}
		defer file.Close()
		traffic = file
	}
	for entry, err := range recording.Read(traffic) {
		if err != nil {
			return nil, fmt.Errorf("%s: %w", cmp.Or(o.File, "the recording"), err)
		}
		if ctx.Err() != nil {
			break
		}
		k.entry(entry)
	}
	k.end()
	return k.report(context.Cause(ctx)), nil
}

// checking is one recording being judged.
type checking struct {
	*run
	target     *url.URL // nil: any
	router     *route.Router
	subject    map[*spec.Operation]bool // those that are chosen
	validators map[*spec.Operation]*validate.Operation
	policies   map[*spec.Operation]*auth.Policy
	base       string          // of the entry at hand
	left       map[string]*few // what is left out, by reason
	admitted   bool            // a request had the credentials that it needs
	bare       []*checks.Exchange
	bares      int
}

// few counts entries, and names some of them.
type few struct {
	count int
	names []string
	more  bool // there are names besides
}

const (
	maxNamed = 5    // entries that a reason names
	maxLeft  = 100  // reasons
	maxBare  = 1000 // accepted requests without credentials that are kept
)

func newChecking(ctx context.Context, o *CheckOptions) (*checking, error) {
	own := &Options{
		Document: o.Document, Contract: o.Contract, URL: o.URL, Checks: o.Checks, Strict: o.Strict, Operations: o.Operations,
		MaxResponseTime: o.MaxResponseTime, Baseline: o.Baseline, Clock: o.Clock,
	}
	own.defaults()
	c := o.Contract
	if c == nil {
		var err error
		if c, err = spec.Load(ctx, o.Document, spec.Options{Text: o.Text, AllowExternal: o.AllowExternalRefs}); err != nil {
			return nil, err
		}
	}
	k := &checking{
		run: &run{options: own, contract: c, budget: newBudget(own)}, router: route.New(c), subject: map[*spec.Operation]bool{},
		validators: map[*spec.Operation]*validate.Operation{}, policies: map[*spec.Operation]*auth.Policy{}, left: map[string]*few{},
	}
	if o.URL != "" {
		target, err := url.Parse(o.URL)
		if err != nil || target.Host == "" || target.Scheme != "http" && target.Scheme != "https" {
			return nil, &OptionError{"URL", fmt.Sprintf("%q is not of the form https://api.example.com/v1", o.URL)}
		}
		k.target = target
	}
	only, err := own.checks()
	if err != nil {
		return nil, err
	}
	wanted, err := newChoice(o.Operations)
	if err != nil {
		return nil, &OptionError{"operation", err.Error()}
	}
	for _, op := range c.Operations {
		if wanted.takes(op) {
			k.subjects = append(k.subjects, &subject{Operation: op, name: nameOf(op)})
			k.subject[op] = true
			k.validators[op], k.policies[op] = validate.New(op), auth.New(op)
		}
	}
	if len(k.subjects) == 0 && len(c.Operations) > 0 {
		return nil, &OptionError{"operation", "no operation of the document is chosen"}
	}
	k.judge = checks.New(c, checks.Options{Only: only, Limit: o.MaxResponseTime})
	k.tally = newTally(func() string { return k.base }, newCommands(c, nil, func(*spec.SecurityScheme) bool { return true }, false), newCover(c, k.subjects, false), own.Clock)
	for _, s := range k.subjects {
		k.tally.subject(s)
	}
	k.began = own.Clock()
	k.tally.begin(recordedPhase)
	return k, nil
}
