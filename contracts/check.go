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
	"time"

	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/contracts/internal/credentials"
	"github.com/coldframe/coldframe/contracts/internal/findings"
	"github.com/coldframe/coldframe/contracts/internal/recording"
	"github.com/coldframe/coldframe/contracts/internal/runner"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/nearest"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/visible"
)

// CheckOptions say which recorded traffic Check validates against which document. Document or Text, and File
// or Traffic, are needed; the zero value of the rest is the default.
type CheckOptions struct {
	// Document is the file or http(s) URL of the OpenAPI document.
	Document string
	// Text is the document itself; Document then only names it.
	Text []byte
	// AllowExternalRefs lets $refs leave RefsRoot and reach other hosts.
	AllowExternalRefs bool
	// What follows of the document is that of Options.
	RefsRoot             string
	IgnoreUnreadableRefs bool
	LoadTimeout          time.Duration
	MaxDocument          int

	// File is the recording: HAR 1.2, or the mock's journal as its control API gives it.
	File string
	// Traffic is the recording itself; File then only names it.
	Traffic io.Reader

	// URL is where the backend was: requests to other origins, or outside its path,
	// are skipped. Default: all whose path the document has are checked.
	URL string
	// Checks, Strict and Operations are those of Options.
	Checks     []string
	Strict     bool
	Operations []string
	// MaxResponseTime is the longest that an answer may have taken before that is a finding. Default: none.
	MaxResponseTime time.Duration
	// Baseline has the findings that are known.
	Baseline *Baseline
	// Clock tells the time. Default time.Now.
	Clock func() time.Time
}

// Check checks recorded traffic: the requests as well as the answers. An error says
// that nothing could be checked, or which entry of the recording cannot be read. The
// context's end cuts it short; the report is complete all the same.
func Check(ctx context.Context, o CheckOptions) (*Report, error) {
	if o.Clock == nil {
		o.Clock = time.Now
	}
	began := o.Clock()
	checker, err := o.checker(ctx)
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
		checker.Add(entry)
	}
	checker.Finish()
	return checker.Collector.Finish(&Report{
		URL: visible.WithoutUserinfo(o.URL), Began: began, Requests: checker.Requests, Ended: endedReason(context.Cause(ctx)),
	}, findings.BaselineUse{Baseline: o.Baseline, Uses: checker.Checks.Uses, RanAll: true}), nil
}

// checker loads the document and makes what checks the recording.
func (o *CheckOptions) checker(ctx context.Context) (*recording.Checker, error) {
	c, err := spec.Load(ctx, o.Document, spec.Options{Text: o.Text, AllowExternal: o.AllowExternalRefs,
		Root: o.RefsRoot, IgnoreUnreadable: o.IgnoreUnreadableRefs, MaxBytes: o.MaxDocument, Timeout: o.LoadTimeout})
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
	only, err := chosenChecks(o.Checks, o.Strict)
	if err != nil {
		return nil, err
	}
	operations, err := runner.Select(c, runner.Selection{Patterns: o.Operations})
	if err != nil {
		return nil, &OptionError{"Operations", err.Error()}
	}
	present := credentials.NewPresenter(c, nil, false)
	return recording.NewChecker(recording.Options{
		Contract: c, Operations: operations, URL: target, Show: present.Show, HideIn: present.HideIn,
		Checks: checks.New(c, checks.Options{Only: only, Limit: o.MaxResponseTime}), Clock: o.Clock,
	}), nil
}
