package contracts

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"sync"
	"time"

	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/contracts/internal/credentials"
	"github.com/coldframe/coldframe/contracts/internal/findings"
	"github.com/coldframe/coldframe/contracts/internal/recorded"
	"github.com/coldframe/coldframe/contracts/internal/runner"
	"github.com/coldframe/coldframe/contracts/internal/wire"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/nearest"
	"github.com/coldframe/coldframe/internal/recording"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/visible"
	"github.com/coldframe/coldframe/report"
	values "github.com/coldframe/coldframe/report/exchange"
)

// CheckOptions configure Check. Document or Text, and File or Traffic, are required; all other fields have useful
// zero values.
type CheckOptions struct {
	// Document is the file or http(s) URL of the OpenAPI document.
	Document string
	// Text is the document itself. Document is then only its name.
	Text []byte
	// Load says which files $refs may lead to, and what loading may cost.
	Load LoadOptions

	// File is the recording: HAR 1.2, or the mock's journal as its control API returns it.
	File string
	// Traffic is the recording itself. File is then only its name.
	Traffic io.Reader

	// URL is the address of the backend: requests to other origins, or outside its path, are skipped. Default: all
	// requests whose path is in the document are checked.
	URL string
	// Operations are "POST /plants", "/plants/*", "tag:plants", an operationId or a glob of these; one that begins with
	// "!" is excluded. Default: all.
	Operations []string
	// Checks are ids of the table that the function Checks returns; one that begins with "!" is excluded. Default: all
	// that are not strict. Strict adds the strict ones.
	Checks []string
	Strict bool
	// MaxResponseTime is the longest that a response may have taken; a slower one is a finding. Default: none.
	MaxResponseTime time.Duration
	// Baseline has the findings that are known.
	Baseline *report.Baseline
	// Clock returns the time. Default time.Now.
	Clock func() time.Time
}

// Check checks recorded traffic: the requests as well as the responses. An error says
// that nothing could be checked, or which entry of the recording cannot be read. The
// context's end cuts it short; the report is still complete.
func Check(ctx context.Context, o CheckOptions) (*report.Report, error) {
	checker, err := NewTrafficChecker(ctx, o)
	if err != nil {
		return nil, err
	}
	traffic := o.Traffic
	if traffic == nil {
		file, err := os.Open(o.File)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("there is no recording %q%s", o.File, nearest.File(o.File))
		}
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
		checker.checker.Add(entry, nil)
	}
	return checker.report(endedReason(context.Cause(ctx))), nil
}

// TrafficChecker checks exchanges as they happen, for example behind a proxy. It is safe for concurrent use.
type TrafficChecker struct {
	options CheckOptions
	began   time.Time
	mu      sync.Mutex
	number  int // of the last exchange
	checker *recorded.Checker
}

// NewTrafficChecker loads the document. CheckOptions.File and Traffic have no effect. The error says that nothing can
// be checked.
func NewTrafficChecker(ctx context.Context, o CheckOptions) (*TrafficChecker, error) {
	if o.Clock == nil {
		o.Clock = time.Now
	}
	began := o.Clock()
	checker, err := o.checker(ctx)
	if err != nil {
		return nil, err
	}
	return &TrafficChecker{options: o, began: began, checker: checker}, nil
}

// Add checks an exchange. It must not be changed afterwards.
func (t *TrafficChecker) Add(x *values.Recorded) {
	r := x.Request
	t.mu.Lock()
	defer t.mu.Unlock()
	t.number++
	t.checker.Add(&recording.Entry{
		Number: t.number, Origin: x.Origin, Took: x.Took, Response: x.Response,
		Request:    &exchange.Request{Method: r.Method, Path: r.Path, Query: r.Query, Header: r.Header, Body: r.Body},
		RequestCut: x.RequestCut, ResponseCut: x.ResponseCut,
	}, faultOf(x.Fault))
}

// faults are the codes of Run for the faults that a proxy reports: the findings have the same fingerprints.
var faults = map[string]string{
	"upstream-unreachable": wire.Unreachable,
	"upstream-no-answer":   wire.NoAnswer,
	"upstream-malformed":   wire.Garbage,
	"upstream-certificate": wire.Certificate,
	"upstream-timeout":     wire.Timeout,
	"upstream-broke-off":   wire.Truncated,
}

func faultOf(f *values.Finding) *wire.Fault {
	if f == nil {
		return nil
	}
	return &wire.Fault{Code: faults[f.Code], Message: f.Message}
}

// Report returns what was found. It ends the checker: call it once, after the last Add.
func (t *TrafficChecker) Report() *report.Report { return t.report("") }

func (t *TrafficChecker) report(ended string) *report.Report {
	t.mu.Lock()
	defer t.mu.Unlock()
	c := t.checker
	c.Finish()
	return c.Collector.Finish(&report.Report{
		URL: visible.WithoutUserinfo(t.options.URL), Began: t.began, Requests: c.Requests, Ended: ended,
	}, findings.BaselineUse{Baseline: t.options.Baseline, Uses: c.Checks.Uses, RanAll: true})
}

// checker loads the document and makes what checks the recording.
func (o *CheckOptions) checker(ctx context.Context) (*recorded.Checker, error) {
	c, err := spec.Load(ctx, o.Document, o.Load.options(o.Text))
	if err != nil {
		return nil, err
	}
	var target *url.URL
	if o.URL != "" {
		target, err = url.Parse(o.URL)
		if err != nil || target.Host == "" || target.Scheme != "http" && target.Scheme != "https" {
			return nil, &OptionError{"URL", exchange.Quote(o.URL) + " is not of the form https://api.example.com/v1"}
		}
		target.User = nil
	}
	only, err := chosenChecks("Checks", o.Checks, o.Strict)
	if err != nil {
		return nil, err
	}
	operations, err := runner.Select(c, runner.Selection{Patterns: o.Operations})
	if err != nil {
		return nil, &OptionError{"Operations", err.Error()}
	}
	present := credentials.NewPresenter(c, nil, false)
	return recorded.NewChecker(recorded.Options{
		Contract: c, Operations: operations, URL: target, Show: present.Show, HideIn: present.HideIn,
		Clock: o.Clock, Checks: checks.New(c, checks.Options{Only: only, Strict: isStrict(o.Checks, o.Strict),
			Limit: o.MaxResponseTime}),
	}), nil
}
