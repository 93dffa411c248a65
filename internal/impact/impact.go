// Package impact finds out which changes of a server break a consumer. It runs the consumer's own test suite once
// against a plain mock, and then once for each change against a mock with this change alone:
//
//	plain run → what the suite used → changes that it can notice → a run for each, in parallel →
//	a run that fails is confirmed by a plain run that passes and a second one that fails → report
//
// A change is a variation, something that the document allows at any time (kinds.go), or a difference between two
// documents. Variations change the responses of the plain mock (handler.go), and never what the suite has sent itself.
// Nothing of a document is executed or reaches a shell.
package impact

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/spec"
)

// Options say what is run, and how.
type Options struct {
	Contract *spec.Contract
	Plan     *resource.Plan
	// Changes are between two documents: see Between. Default: the variations of Contract.
	Changes []*Change
	// Skipped are changes that cannot be applied.
	Skipped []Skipped
	// Chosen reports whether a change is run. Default: all are.
	Chosen func(*Change) bool
	// Mock starts a mock of the contract, or of another document with its files.
	Mock func(ctx context.Context, document string, files spec.Texts) (*Mock, error)
	// Command runs the suite with additional variables in its environment. It ends with the context, together with all
	// processes that it has started. The error says why the suite has failed.
	Command func(ctx context.Context, variables []string, output *Output) error
	Jobs    int // runs at a time
	MaxRuns int // changes that are run at most
	// Timeout limits the time of one run. Default: ten minutes for the plain run, then five times as long as it took, and
	// ten seconds at least.
	Timeout  time.Duration
	Progress func(Progress)
}

// Mock is a mock of one run.
type Mock struct {
	http.Handler
	// Unfit returns why a setting of the mock no longer fits the document, such as a scenario; "" if all fit.
	Unfit func() string
	End   func()
}

// Progress is how far a run has come.
type Progress struct{ Done, Changes, Breaking int }

// Defaults of Options.Timeout.
const (
	plainTimeout  = 10 * time.Minute
	leastTimeout  = 10 * time.Second
	timeoutFactor = 5
)

// ErrTimeout says that a suite did not end in time.
var ErrTimeout = errors.New("timeout")

// PlainError says that the suite fails against the plain mock, or does not use it.
type PlainError struct {
	Reason string
	Output string // of the suite
}

func (e *PlainError) Error() string { return e.Reason }

// runner has the state of Run.
type runner struct {
	Options
	contract *contract
	plain    time.Duration   // how long the plain run took
	known    map[string]bool // lines of its output, see linesOf
	report   *Report

	mu       sync.Mutex
	progress Progress
	again    sync.Mutex // held during a plain run that is repeated
	steady   int        // repeated plain runs that passed
}

// Run runs the suite against the plain mock and against each change. The error is a *PlainError, the error of a mock
// that does not start, or the context's.
func Run(ctx context.Context, o Options) (*Report, error) {
	r := &runner{Options: o, contract: newContract(o.Contract, o.Plan), report: &Report{
		Title: o.Contract.Title, Version: o.Contract.Version, Document: o.Contract.File,
		Skipped: append([]Skipped{}, o.Skipped...),
	}}
	seen := &traffic{operations: map[*spec.Operation]*used{}, places: map[string]*seenPlace{}}
	plain, err := r.run(ctx, nil, seen)
	switch {
	case err != nil:
		return nil, err
	case plain.err != nil:
		return nil, &PlainError{"the command fails against the plain mock: " + plain.err.Error(), plain.output}
	case len(seen.operations) == 0:
		return nil, &PlainError{"the command sent no request of the document to COLDFRAME_URL", plain.output}
	}
	r.plain = plain.took
	r.known = linesOf(plain.output)
	r.report.used(r.contract, seen, plain.took)
	changes := r.changes(seen)
	r.progress.Changes = len(changes)
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var running sync.WaitGroup
	results, next := make([]*Result, len(changes)), make(chan int)
	for range max(o.Jobs, 1) {
		running.Go(func() {
			for i := range next {
				result, err := r.judge(ctx, changes[i])
				if err != nil {
					cancel(err)
				}
				results[i] = result
				r.done(result)
			}
		})
	}
	for i := range changes {
		select {
		case next <- i:
		case <-ctx.Done():
		}
	}
	close(next)
	running.Wait()
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	r.report.Changes = results
	return r.report, nil
}

// changes returns the changes to run, and reports what is left out.
func (r *runner) changes(seen *traffic) []*Change {
	all := r.Options.Changes
	if all == nil {
		var skipped []Skipped
		all, skipped = variations(r.contract, seen)
		r.report.Skipped = append(r.report.Skipped, skipped...)
	} else {
		all = slices.DeleteFunc(slices.Clone(all), func(c *Change) bool {
			c.of = map[string]bool{}
			for _, op := range c.Operations {
				c.of[op] = true
			}
			at := slices.IndexFunc(r.report.Operations, func(u Used) bool { return c.of[u.Name] })
			if at < 0 {
				title := strings.Join(c.Operations, ", ") + ": " + c.Title
				r.report.Skipped = append(r.report.Skipped, Skipped{title, "the suite does not use the operation"})
				return true
			}
			c.Title = r.report.Operations[at].Name + ": " + c.Title
			return false
		})
	}
	if r.Chosen != nil {
		all = slices.DeleteFunc(all, func(c *Change) bool { return !r.Chosen(c) })
	}
	if r.MaxRuns > 0 && len(all) > r.MaxRuns {
		r.report.LeftOut = len(all) - r.MaxRuns
		all = all[:r.MaxRuns]
	}
	return all
}

func (r *runner) done(result *Result) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.progress.Done++
	if result != nil && result.Verdict == Breaks {
		r.progress.Breaking++
	}
	if r.Progress != nil {
		r.Progress(r.progress)
	}
}

// judge runs the suite against a change. If it fails, a plain run must pass and a second run must fail, too.
func (r *runner) judge(ctx context.Context, c *Change) (*Result, error) {
	first, err := r.run(ctx, c, nil)
	if failed, ok := errors.AsType[*mockError](err); ok && c.Files != nil {
		return &Result{Change: c, Verdict: NotApplied, Failure: failed.Error()}, nil
	} else if err != nil {
		return nil, err
	}
	result := &Result{Change: c, Verdict: Passes, Applied: first.applied, Took: first.took.Seconds()}
	switch {
	case first.err != nil && c.Files != nil && first.unfit != "":
		result.Verdict, result.Failure = NotApplied, first.unfit
	case first.err == nil && first.applied == 0:
		result.Verdict = NotApplied
	case first.err == nil:
	case c.Kind == errorKind && !errors.Is(first.err, ErrTimeout): // a test that expects success must fail
		result.Verdict, result.Output, result.Failure = Fails, first.output, first.err.Error()
	default:
		result.Output, result.Failure = first.output, first.err.Error()
		result.shown = firstOf(first.output, r.known)
		steady, err := r.isSteady(ctx)
		if err != nil {
			return nil, err
		}
		second, err := r.run(ctx, c, nil)
		if err != nil {
			return nil, err
		}
		if result.Verdict = Breaks; second.err == nil || !steady || first.applied == 0 || second.applied == 0 {
			result.Verdict = Flaky
			result.Failure += "; then " + second.said()
		}
	}
	return result, nil
}

// maxSteady is the number of repeated plain runs after which a suite counts as steady.
const maxSteady = 3

// isSteady reports whether the suite still passes against the plain mock.
func (r *runner) isSteady(ctx context.Context) (bool, error) {
	r.again.Lock()
	defer r.again.Unlock()
	if r.steady == maxSteady {
		return true, nil
	}
	plain, err := r.run(ctx, nil, nil)
	if err != nil {
		return false, err
	}
	if plain.err != nil {
		r.report.Flaky++
		return false, nil
	}
	r.steady++
	return true, nil
}

// outcome is how one run ended.
type outcome struct {
	err     error // why the suite failed; nil if it passed
	output  string
	unfit   string // see Mock
	applied int
	took    time.Duration
}

func (o *outcome) said() string {
	if o.err == nil {
		return "it passes"
	}
	return o.err.Error()
}

// run runs the suite once, with a mock of its own. seen records what the suite uses; nil for nothing.
func (r *runner) run(ctx context.Context, c *Change, seen *traffic) (*outcome, error) {
	document, files := "", spec.Texts(nil)
	if c != nil {
		document, files = c.Document, c.Files
	}
	mock, err := r.Mock(ctx, document, files)
	if err != nil {
		return nil, &mockError{err}
	}
	defer mock.End()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	h := &handler{
		mock: mock, contract: r.contract, change: c, traffic: seen, sent: &echoes{sent: map[[2]string]bool{}},
	}
	server := newServer(h)
	go server.Serve(listener)
	defer server.Close()
	limit := r.Timeout
	switch {
	case limit > 0:
	case seen != nil:
		limit = plainTimeout
	default:
		limit = max(leastTimeout, timeoutFactor*r.plain*time.Duration(max(r.Jobs, 1)))
	}
	within, cancel := context.WithTimeoutCause(ctx, limit, ErrTimeout)
	defer cancel()
	output, began := &Output{}, time.Now()
	failed := r.Command(within, []string{
		"COLDFRAME_URL=http://" + listener.Addr().String(),
		"COLDFRAME_SESSION=impact-" + strconv.Itoa(listener.Addr().(*net.TCPAddr).Port),
	}, output)
	took := time.Since(began)
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case within.Err() != nil:
		failed = fmt.Errorf("%w: it did not end within %v", ErrTimeout, limit.Round(time.Millisecond))
	}
	return &outcome{
		err: failed, output: output.String(), unfit: mock.Unfit(), applied: int(h.applied.Load()), took: took,
	}, nil
}

// mockError says why a mock does not start, for example because the data of sessions no longer fits the document.
type mockError struct{ error }

func (e *mockError) Error() string { return "the mock does not start: " + e.error.Error() }

func (e *mockError) Unwrap() error { return e.error }
