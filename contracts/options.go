// Package contracts tests a backend against its OpenAPI document: it makes requests from the document, sends them,
// and checks every response. Check does the same with recorded traffic. Package contracttest wraps Run for Go tests.
// Functions are safe for concurrent use; options and reports belong to their caller.
package contracts

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/contracts/internal/runner"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/report"
	"github.com/coldframe/coldframe/report/exchange"
)

// Options configure Run. Document or Text, and URL are required; all other fields have useful zero values.
type Options struct {
	// Document is the file or http(s) URL of the OpenAPI document.
	Document string
	// Text is the document itself. Document is then only its name.
	Text []byte
	// Load says which files $refs may lead to, and what loading may cost.
	Load LoadOptions

	// URL is the address of the backend. Requests go only to its origin; its path, if any, is the prefix of the
	// document's paths.
	URL string
	// Insecure accepts any certificate.
	Insecure bool
	// Credentials are what the backend accepts.
	Credentials Credentials
	// Identities are two users or more, for the stateful test "identities": what the first creates, and the backend hides
	// from another in one place, must be hidden from it everywhere. The first sends all other requests. Each has its token
	// beside what Credentials have.
	Identities []Identity

	// Select chooses the operations, phases and checks. Default: everything that is not strict.
	Select Selection
	// Limits bound the run.
	Limits Limits
	// Seed selects the cases: the same seed produces the same cases.
	Seed uint64

	// Setup has values that exist at the backend. SetupFile is a YAML or JSON file with such values, in place of
	// Setup.
	Setup     *Setup
	SetupFile string
	// Rules change how single operations are tested, and which findings count. LoadRules reads a coldframe.yaml.
	Rules Rules
	// Baseline has the known findings.
	Baseline *report.Baseline
	// Resources corrects the inference of the document's resources.
	Resources ResourceOverrides

	// Cleanup deletes the items of the run when it ends, the newest first.
	Cleanup bool
	// Restart restarts a backend that has ended, so that the run can continue. It returns while the backend starts;
	// the tester waits until the backend answers. It is called at most 20 times a run. Default: the run ends.
	Restart func(context.Context) error

	// Progress is called at intervals, from one goroutine.
	Progress func(Progress)
	// Clock returns the time. Default time.Now.
	Clock func() time.Time

	sleep func(context.Context, time.Duration) error // tests have their own
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
	// Timeout limits the time for loading the document. Default 1 min.
	Timeout time.Duration
	// MaxDocument is the largest size of one file of the document in bytes. A file may have one value for each 20
	// bytes of this size; all files together may have four times as many. Default 64 MiB.
	MaxDocument int
}

// Credentials are what the backend accepts. The zero value has none.
type Credentials struct {
	// Token is the token for bearer, OAuth2 and OpenID schemes.
	Token string
	// User is the user for basic schemes: name:password.
	User string
	// APIKeys are the API keys, by the scheme's key in the document or by the name of its parameter.
	APIKeys map[string]string
	// Headers are sent with every request, unless a case is about that field.
	Headers http.Header
	// Refresh returns a new Token. It is called at the start and when the backend refuses the token.
	Refresh func(context.Context) (string, error)
}

// Identity is a user of the backend.
type Identity struct {
	// Name is shown in reports: letters, digits, hyphens and underscores.
	Name string
	// Token is sent for bearer, OAuth2 and OpenID schemes and as an API key. Basic schemes take it as name:password.
	Token string
	// Refresh returns a new Token. It is called at the start and when the backend refuses the token.
	Refresh func(context.Context) (string, error)
}

// Selection chooses what is tested. The zero value chooses all operations and phases, and the checks that are not
// strict.
type Selection struct {
	// Operations select the operations to test: "POST /plants", "/plants/*", "tag:plants", an operationId or a glob of
	// these; a leading "!" excludes. Default: all.
	Operations []string
	// ReadOnly sends GET and HEAD only.
	ReadOnly bool
	// Private selects, as Operations does, operations whose items only their creator may see or change.
	Private []string
	// Phases are the ids of the phases to run, see the function Phases. Default: all.
	Phases []string
	// Checks are the ids of the checks to run, see the function Checks; a leading "!" excludes. Default: all that are
	// not strict. Strict adds the strict checks.
	Checks []string
	Strict bool
	// Destructive sends also what may change what the run did not create, or end the credentials of the run: deletions
	// and replacements of everything, restores, new passwords.
	Destructive bool
	// Shard and Shards select a part of the operations: 2 of 4. Default: all.
	Shard, Shards int
}

// Limits bound a run. Zero is the default of each.
type Limits struct {
	// MaxCases limits the cases of a run, shared fairly between operations. Default 50,000.
	MaxCases int
	// MaxTime limits the time of the run. Default 5 minutes; cases that were not sent by then are reported as
	// skipped. Repeating the requests that showed a fault may take two seconds more.
	MaxTime time.Duration
	// FuzzCases is the number of random cases for each operation. Default 100.
	FuzzCases int
	// Rate limits the requests per second. Default: no limit.
	Rate float64
	// Workers is the number of concurrent requests. Default 8.
	Workers int
	// Timeout limits the time of each request. Default 10 s.
	Timeout time.Duration
	// MaxResponseTime limits the time of a response; a longer one is a finding. Default: no limit.
	MaxResponseTime time.Duration
	// Settle is how long reads may take to show a change, before a finding says that they do not. Default 2 s; below 0:
	// no time.
	Settle time.Duration
	// MinTested is the smallest share of the operations, in percent, that must accept a request. If fewer do, or
	// none, Report.Insufficient says so. Default 50; below 0: none.
	MinTested float64
}

// Progress describes how far a run is.
type Progress struct {
	Phase      string        // id of the current one
	Document   int64         // the size of all files of the document, in bytes
	Operations int           // how many are tested
	Operation  int           // how many of them are done in this phase
	Cases      int           // how many were sent so far
	Findings   int           // how many were found so far
	Left       time.Duration // until Limits.MaxTime
	// News are the findings that were first seen since the last call. The report may group them, or leave them out.
	News []report.Finding
	// Tested are the operations that got requests since then, with their counts so far.
	Tested []report.Operation
}

// OptionError says which option is unusable. Messages name other options as Options.Limits.MaxTime.
type OptionError struct {
	Option  string // a field of Options: Limits.MaxTime
	Message string
}

func (e *OptionError) Error() string { return e.Option + ": " + e.Message }

// SetupError says what is wrong in Options.SetupFile.
type SetupError struct {
	Findings []exchange.Finding
}

func (e *SetupError) Error() string {
	lines := []string{"the setup cannot be used:"}
	for _, f := range e.Findings {
		lines = append(lines, f.String())
	}
	return strings.Join(lines, "\n")
}

// AccessError says that a backend accepted no request: not one operation could be tested.
type AccessError struct {
	Message string
}

func (e *AccessError) Error() string { return e.Message }

// options returns what the document is loaded with.
func (o *LoadOptions) options(text []byte) spec.Options {
	return spec.Options{Text: text, AllowExternal: o.AllowExternalRefs, Root: o.RefsRoot,
		IgnoreUnreadable: o.IgnoreUnreadableRefs, MaxBytes: o.MaxDocument, Timeout: o.Timeout}
}

func (o *Options) setDefaults() {
	o.Limits.MaxCases = cmp.Or(max(o.Limits.MaxCases, 0), 50_000)
	o.Limits.MaxTime = cmp.Or(max(o.Limits.MaxTime, 0), 5*time.Minute)
	o.Limits.FuzzCases = cmp.Or(max(o.Limits.FuzzCases, 0), 100)
	o.Limits.MinTested = max(0, cmp.Or(o.Limits.MinTested, 50))
	o.Limits.Settle = max(0, cmp.Or(o.Limits.Settle, 2*time.Second))
	o.Limits.Workers = cmp.Or(max(o.Limits.Workers, 0), 8)
	if o.Clock == nil {
		o.Clock = time.Now
	}
	if o.sleep == nil {
		o.sleep = runner.Sleep
	}
}

// chosenPhases returns the phases with some ids, or all phases if ids is empty.
func chosenPhases(ids []string) ([]*runner.Phase, error) {
	known := func(p *runner.Phase) string { return p.ID }
	if err := requireKnown("Select.Phases", ids, runner.Phases(), known); err != nil || len(ids) == 0 {
		return runner.Phases(), err
	}
	left := func(p *runner.Phase) bool { return !slices.Contains(ids, p.ID) }
	return slices.DeleteFunc(slices.Clone(runner.Phases()), left), nil
}

// chosenChecks returns the checks that an option names, or all that are not strict; "!" excludes one.
func chosenChecks(option string, names []string, strict bool) (func(*checks.Check) bool, error) {
	var ids, included, excluded []string
	for _, name := range names {
		id, excludes := strings.CutPrefix(name, "!")
		ids = append(ids, id)
		if excludes {
			excluded = append(excluded, id)
		} else {
			included = append(included, id)
		}
	}
	err := requireKnown(option, ids, checks.All(), func(c *checks.Check) string { return c.ID })
	return func(c *checks.Check) bool {
		return !slices.Contains(excluded, c.ID) && (slices.Contains(included, c.ID) ||
			len(included) == 0 && (!c.Strict || strict))
	}, err
}

// isStrict reports whether what no document requires is reported: on request, and if checks are named.
func isStrict(names []string, strict bool) bool {
	isNamed := func(name string) bool { return !strings.HasPrefix(name, "!") }
	return strict || slices.ContainsFunc(names, isNamed)
}

// requireKnown refuses ids that are not in the table.
func requireKnown[T any](option string, ids []string, rows []T, idOf func(T) string) error {
	var known []string
	for _, row := range rows {
		known = append(known, idOf(row))
	}
	for _, id := range ids {
		if !slices.Contains(known, id) {
			return &OptionError{option, fmt.Sprintf("%q is none of %s", id, strings.Join(known, ", "))}
		}
	}
	return nil
}
