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

	"github.com/coldframe/coldframe/contracts/internal/credentials"

	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/contracts/internal/rules"
	"github.com/coldframe/coldframe/contracts/internal/runner"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/resource"
)

// Options configure Run. Document or Text, and URL are required; all other fields have useful zero values.
type Options struct {
	// Document is the file or http(s) URL of the OpenAPI document.
	Document string
	// Text is the document itself. Document is then only its name.
	Text []byte
	// AllowExternalRefs lets $refs leave RefsRoot and reach other hosts.
	AllowExternalRefs bool
	// RefsRoot is the directory that $refs must stay in. Default: the document's repository (the nearest folder below
	// the user's home with .git in it), else its own folder. Hidden files are not read.
	RefsRoot string
	// IgnoreUnreadableRefs makes $refs whose file cannot be read accept everything. By default they are an error.
	IgnoreUnreadableRefs bool
	// LoadTimeout limits the time for loading the document. Default 1 min.
	LoadTimeout time.Duration
	// MaxDocument is the largest size of one file of the document in bytes. A file may have one value for each 20
	// bytes of this size; all files together may have four times as many. Default 64 MiB.
	MaxDocument int

	// URL is the address of the backend. Requests go only to its origin; its path, if any, is the prefix of the
	// document's paths.
	URL string

	// Token is the token for bearer, OAuth2 and OpenID schemes.
	Token string
	// User is the user for basic schemes: name:password.
	User string
	// APIKeys are the API keys, by the scheme's key in the document or by the name of its parameter.
	APIKeys map[string]string
	// Headers are sent with every request, unless a case is about that field.
	Headers http.Header
	// RefreshToken returns a new Token. It is called at the start and when the backend refuses the token.
	// ChangedPassword returns the new password if the run has changed the caller's.
	RefreshToken func(context.Context) (string, error)

	// Phases and Checks are the ids of the ones to run. Default: all phases, and all checks that are not strict. A
	// check with a leading "!" is excluded. Strict adds the strict checks.
	Phases, Checks []string
	Strict         bool
	// Operations select the operations to test: "POST /plants", "/plants/*", "tag:plants", an operationId or a glob
	// of these; a leading "!" excludes. Default: all.
	Operations []string
	// ReadOnly sends GET and HEAD only.
	ReadOnly bool

	// Seed selects the cases: the same seed produces the same cases.
	Seed uint64
	// MaxCases limits the cases of a run, shared fairly between operations. Default 50,000.
	MaxCases int
	// MaxTime limits the time of the run. Default 5 minutes; cases that were not sent by then are reported as
	// skipped.
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
	// MinTested is the smallest share of the operations, in percent, that must accept a request. If fewer do, or
	// none, Report.Insufficient says so. Default 50; below 0: none.
	MinTested float64
	// Cleanup deletes the items of the run when it ends, the newest first.
	Cleanup bool
	// Restart restarts a backend that has ended, so that the run can continue. It returns while the backend starts;
	// the tester waits until the backend answers. It is called at most 20 times a run. Default: the run ends.
	Restart func(context.Context) error
	// Insecure accepts any certificate.
	Insecure bool
	// Shard and Shards select a part of the operations: 2 of 4. Default: all.
	Shard, Shards int

	// Setup has values that exist at the backend. SetupFile is a YAML or JSON file with such values, in place of
	// Setup.
	Setup     *Setup
	SetupFile string
	// Rules change how single operations are tested, and which findings count. LoadRules reads a coldframe.yaml.
	Rules Rules
	// Baseline has the known findings.
	Baseline *Baseline
	// Resources corrects the inference of the document's resources.
	Resources ResourceOverrides

	// Progress is called at intervals, from one goroutine.
	Progress func(Progress)
	// Clock returns the time. Default time.Now.
	Clock func() time.Time

	sleep func(context.Context, time.Duration) error // for tests
}

// Progress describes how far a run is.
type Progress struct {
	Phase      string
	Document   int64 // size of all files of the document, in bytes
	Operations int   // total
	Operation  int   // done in this phase
	Cases      int   // sent so far
	Findings   int
	Left       time.Duration // at most
}

type (
	// Setup has values that exist at the backend, for variables of paths (Path) and properties of bodies (Body), for
	// all operations (Values) and for single ones ("METHOD path" in Operations).
	Setup = runner.Setup
	// SetupValues are values by name.
	SetupValues = runner.SetupValues
	// Rules are rules of operations, and waivers of findings.
	Rules = rules.Rules
	// OperationRule changes how some operations are tested: skipped, or with other checks, severities, timeout or
	// expected statuses.
	OperationRule = rules.OperationRule
	// Waiver accepts findings: they are listed separately and do not fail a run.
	Waiver = rules.Waiver
	// RuleError lists the errors in Options.Rules, or in the file of LoadRules.
	RuleError = rules.Error
	// Phase is a family of cases, a row of the table of phases.
	Phase = runner.Phase
	// ResourceOverrides correct the inference of resources. ReadResourceOverrides returns them.
	ResourceOverrides = resource.Overrides
)

// Phases returns the table of phases, in the order in which they run.
func Phases() []*Phase { return runner.Phases() }

// LoadRules reads the operations and waivers in the section test of a coldframe.yaml.
func LoadRules(file string) (Rules, error) { return rules.Load(file) }

// ReadResourceOverrides reads corrections: an object in YAML or JSON like "resources" of coldframe.yaml, whose names
// are "METHOD path" or a path. name is the file's name in findings. Run checks the values.
func ReadResourceOverrides(name string, text []byte) (ResourceOverrides, error) {
	return resource.ReadOverrides(name, text)
}

// OptionError reports an unusable option, a field of Options. Messages name other fields as Options.Field.
type OptionError struct{ Option, Message string }

func (e *OptionError) Error() string { return e.Option + ": " + e.Message }

// SetupError lists the errors in Options.SetupFile.
type SetupError struct{ Findings []exchange.Finding }

func (e *SetupError) Error() string {
	lines := []string{"the setup cannot be used:"}
	for _, f := range e.Findings {
		lines = append(lines, f.String())
	}
	return strings.Join(lines, "\n")
}

// AccessError reports that a backend accepted no request, so that no operation could be tested.
type AccessError struct{ Message string }

func (e *AccessError) Error() string { return e.Message }

func (o *Options) setDefaults() {
	o.MaxCases = cmp.Or(max(o.MaxCases, 0), 50_000)
	o.MaxTime = cmp.Or(max(o.MaxTime, 0), 5*time.Minute)
	o.FuzzCases = cmp.Or(max(o.FuzzCases, 0), 100)
	o.MinTested = max(0, cmp.Or(o.MinTested, 50))
	o.Workers = cmp.Or(max(o.Workers, 0), 8)
	if o.Clock == nil {
		o.Clock = time.Now
	}
	if o.sleep == nil {
		o.sleep = runner.Sleep
	}
}

// chosenPhases returns the phases with these ids; all if there are none.
func chosenPhases(ids []string) ([]*Phase, error) {
	known := func(p *Phase) string { return p.ID }
	if err := requireKnown("Phases", ids, runner.Phases(), known); err != nil || len(ids) == 0 {
		return runner.Phases(), err
	}
	left := func(p *Phase) bool { return !slices.Contains(ids, p.ID) }
	return slices.DeleteFunc(slices.Clone(runner.Phases()), left), nil
}

// chosenChecks returns the named checks, or all that are not strict; "!" excludes one.
func chosenChecks(names []string, strict bool) (func(*CheckInfo) bool, error) {
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
	err := requireKnown("Checks", ids, checks.All(), func(c *CheckInfo) string { return c.ID })
	return func(c *CheckInfo) bool {
		return !slices.Contains(excluded, c.ID) && (slices.Contains(included, c.ID) ||
			len(included) == 0 && (!c.Strict || strict))
	}, err
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

// ChangedPassword returns the caller's new password if a request of the run has changed it, "" otherwise. ctx is the
// context of Options.RefreshToken.
func ChangedPassword(ctx context.Context) string { return credentials.PasswordFrom(ctx) }
