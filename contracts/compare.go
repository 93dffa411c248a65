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

	"github.com/coldframe/coldframe/contracts/internal/compare"
	"github.com/coldframe/coldframe/contracts/internal/credentials"
	"github.com/coldframe/coldframe/contracts/internal/runner"
	"github.com/coldframe/coldframe/contracts/internal/wire"
	"github.com/coldframe/coldframe/internal/nearest"
	"github.com/coldframe/coldframe/internal/recording"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/report"
)

// CompareOptions configure Compare. Document or Text, A and B are required; all other fields have useful zero values.
type CompareOptions struct {
	// Document is the file or http(s) URL of the OpenAPI document.
	Document string
	// Text is the document itself. Document is then only its name.
	Text []byte
	// Load says which files $refs may lead to, and what loading may cost.
	Load LoadOptions

	// A and B are the addresses of the servers. Requests go only to their origins.
	A, B string
	// Insecure accepts any certificate.
	Insecure bool
	// Credentials are what both servers accept.
	Credentials Credentials
	// File is the recording whose requests are sent. Traffic is the recording itself; File is then only its name.
	// Default: requests are made from the document.
	File    string
	Traffic io.Reader
	// Operations select the operations, as in Selection. Default: all.
	Operations []string
	// Write sends requests that are not safe, too. Destructive sends also what may change what the comparison did not
	// create, or end the credentials.
	Write, Destructive bool
	// Workers is the number of concurrent requests, of those that change nothing. Default 8.
	Workers int
	// Baseline has the known findings.
	Baseline *report.Baseline
	// Seed selects the requests that are made.
	Seed uint64
	// Timeout limits the time of each request. Default 10 s.
	Timeout time.Duration
	// Clock returns the time. Default time.Now.
	Clock func() time.Time
}

// Compare sends the same requests to two servers and reports where the responses differ in what the document describes:
// errors break clients of A that are moved to B. An error says that nothing could be compared. The context's end cuts
// it short; the report is still complete.
func Compare(ctx context.Context, o CompareOptions) (*report.Report, error) {
	if o.Clock == nil {
		o.Clock = time.Now
	}
	o.Workers = cmp.Or(max(o.Workers, 0), 8)
	began := o.Clock()
	c, err := spec.Load(ctx, o.Document, o.Load.options(o.Text))
	if err != nil {
		return nil, err
	}
	operations, err := runner.Select(c, runner.Selection{Patterns: o.Operations})
	if err != nil {
		return nil, &OptionError{"Operations", err.Error()}
	}
	plan, _ := resource.Infer(c, resource.Overrides{})
	a, err := o.server(ctx, "A", o.A, c)
	if err != nil {
		return nil, err
	}
	b, err := o.server(ctx, "B", o.B, c)
	if err != nil {
		return nil, err
	}
	defer a.Client.Close()
	defer b.Client.Close()
	comparison := compare.New(compare.Options{Contract: c, Plan: plan, Operations: operations, A: a, B: b,
		Write: o.Write, Destructive: o.Destructive, Workers: o.Workers, Seed: o.Seed})
	comparison.Begin(ctx)
	if o.File == "" && o.Traffic == nil {
		comparison.Generated(ctx)
	} else if err := o.recorded(ctx, comparison); err != nil {
		return nil, err
	}
	comparison.Finish(context.WithoutCancel(ctx))
	r := comparison.Report(&report.Report{Title: c.Title, Version: c.Version, Document: c.File,
		URL: a.URL + " and " + b.URL, Seed: o.Seed, Began: began, Took: o.Clock().Sub(began),
		Ended: endedReason(context.Cause(ctx))}, o.Baseline)
	if len(r.Operations) == 0 && ctx.Err() == nil {
		return nil, fmt.Errorf("no request could be sent: %s", skippedReasons(r))
	}
	for i, f := range r.Findings {
		r.Findings[i].Excerpt = c.Excerpt(f.Place)
	}
	return r, nil
}

func skippedReasons(r *report.Report) string {
	if len(r.Skipped) == 0 {
		return "there is none"
	}
	return r.Skipped[0].Reason
}

func (o *CompareOptions) recorded(ctx context.Context, comparison *compare.Comparison) error {
	traffic := o.Traffic
	if traffic == nil {
		file, err := os.Open(o.File)
		if errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("there is no recording %q%s", o.File, nearest.File(o.File))
		}
		if err != nil {
			return err
		}
		defer file.Close()
		traffic = file
	}
	if err := comparison.Recorded(ctx, recording.Read(traffic)); err != nil {
		return fmt.Errorf("%s: %w", cmp.Or(o.File, "the recording"), err)
	}
	return nil
}

// server returns one of the two servers.
func (o *CompareOptions) server(ctx context.Context, name, address string, c *spec.Contract) (*compare.Server, error) {
	target, err := url.Parse(address)
	if err != nil || target.Host == "" {
		return nil, fmt.Errorf("the address of server %s is no URL such as https://api.example.com/v1", name)
	}
	given := credentials.Given(o.Credentials)
	if target.User != nil {
		password, _ := target.User.Password()
		given.User = cmp.Or(given.User, target.User.Username()+":"+password)
		target.User = nil
	}
	client, err := wire.New(wire.Options{URL: target, Timeout: o.Timeout, Insecure: o.Insecure, Idle: 2 * o.Workers})
	if err != nil {
		return nil, fmt.Errorf("server %s: %w", name, err)
	}
	keyring, err := credentials.New(ctx, given, c)
	if err != nil {
		return nil, err
	}
	return &compare.Server{URL: target.String(), Client: client, Keys: keyring,
		Show: credentials.NewPresenter(c, keyring, o.Insecure).Show}, nil
}
