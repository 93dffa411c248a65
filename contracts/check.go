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

// CheckOptions configure Check. Document or Text, and File or Traffic, are required; all other fields have useful
// zero values.
type CheckOptions struct {
	// Document is the file or http(s) URL of the OpenAPI document.
	Document string
	// Text is the document itself. Document is then only its name.
	Text []byte
	// AllowExternalRefs lets $refs leave RefsRoot and reach other hosts.
	AllowExternalRefs bool
	// The following fields about the document are as in Options.
	RefsRoot             string
	IgnoreUnreadableRefs bool
	LoadTimeout          time.Duration
	MaxDocument          int

	// File is the recording: HAR 1.2, or the mock's journal in the format of its control API.
	File string
	// Traffic is the recording itself. File is then only its name.
	Traffic io.Reader

	// URL is the address of the backend: requests to other origins, or outside its path, are skipped. Default: all
	// requests whose path is in the document are checked.
	URL string
	// Checks, Strict and Operations are as in Options.
	Checks     []string
	Strict     bool
	Operations []string
	// MaxResponseTime limits the time of a response; a longer one is a finding. Default: no limit.
	MaxResponseTime time.Duration
	// Baseline has the known findings.
	Baseline *Baseline
	// Clock returns the time. Default time.Now.
	Clock func() time.Time
}

// Check checks recorded traffic: requests as well as responses. An error says why nothing could be checked, or which
// entry of the recording cannot be read. The end of the context stops it early; the report is complete nevertheless.
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

// checker loads the document and returns the checker for the recording.
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
