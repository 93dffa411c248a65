// Package contracts tests a backend against its OpenAPI document: it makes requests from the document, sends
// them, and checks every answer. Check does the same with recorded traffic. Package contracttest wraps Run
// for Go tests. Functions are safe for concurrent use; options and reports belong to their caller.
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

// Options say what Run tests and how. Document, or Text, and URL are needed; the
// zero value of the rest is the default.
type Options struct {
	// Document is the file or http(s) URL of the OpenAPI document.
	Document string
	// Text is the document itself; Document then only names it.
	Text []byte
	// AllowExternalRefs lets $refs leave RefsRoot and reach other hosts.
	AllowExternalRefs bool
	// RefsRoot is the directory that $refs stay in. Default: the document's repository, which is the nearest
	// folder below the user's home with .git in it, else its own folder. Hidden files are not read.
	RefsRoot string
	// IgnoreUnreadableRefs has $refs whose file cannot be read accept everything. By default they are an error.
	IgnoreUnreadableRefs bool
	// LoadTimeout is how long loading the document may take. Default 1 min.
	LoadTimeout time.Duration
	// MaxDocument is how many bytes one file of the document may have, of which it may hold one value for each 20;
	// all files together may have four times as many. Default 64 MiB.
	MaxDocument int

	// URL is where the backend is. Requests go to its origin only; its path, if any,
	// comes before the document's.
	URL string

	// Token is sent for bearer, OAuth2 and OpenID schemes.
	Token string
	// User is sent for basic schemes: name:password.
	User string
	// APIKeys are sent for API keys, by the scheme's key in the document or by the name of its parameter.
	APIKeys map[string]string
	// Headers are sent with every request, unless a case is about that field.
	Headers http.Header
	// RefreshToken gives a new Token, at the start and when one is refused. ChangedPassword has the password that the
	// run has changed the caller's to.
	RefreshToken func(context.Context) (string, error)

	// Phases and Checks name those that run. Default: all phases, and all checks that are not strict. A check
	// that begins with "!" is excluded. Strict adds the strict ones.
	Phases, Checks []string
	Strict         bool
	// Operations choose what is tested: "POST /plants", "/plants/*", "tag:plants", an
	// operationId or a glob of these; one that begins with "!" excludes. Default: all.
	Operations []string
	// ReadOnly sends GET and HEAD only.
	ReadOnly bool

	// Seed decides the cases: the same seed gives the same cases.
	Seed uint64
	// MaxCases bounds the cases of a run, shared fairly between operations. Default 50,000.
	MaxCases int
	// MaxTime ends the run. Default 5 minutes; what was not sent by then is reported as skipped.
	MaxTime time.Duration
	// FuzzCases is how many random cases each operation has. Default 100.
	FuzzCases int
	// Rate is the most requests a second. Default: no bound.
	Rate float64
	// Workers is how many requests are sent at once. Default 8.
	Workers int
	// Timeout bounds each request. Default 10 s.
	Timeout time.Duration
	// MaxResponseTime is the longest that an answer may take before that is a finding. Default: none.
	MaxResponseTime time.Duration
	// MinTested is the least share of the operations, in percent, that must accept a request: below it
	// Report.Insufficient says so, as it does where none does. Default 50; below 0: none.
	MinTested float64
	// Cleanup deletes what the run created when it ends, the last first.
	Cleanup bool
	// Restart brings a backend back that has ended, so that the run goes on. It returns when the backend starts;
	// the tester waits until it answers. At most 20 times a run. Default: the run ends.
	Restart func(context.Context) error
	// Insecure accepts any certificate.
	Insecure bool
	// Shard and Shards choose a part of the operations: 2 of 4. Default: all.
	Shard, Shards int

	// Setup gives values that exist at the backend. SetupFile is a YAML or JSON file
	// that has them, in place of Setup.
	Setup     *Setup
	SetupFile string
	// Rules change how single operations are tested, and which findings count. LoadRules reads a coldframe.yaml.
	Rules Rules
	// Baseline has the findings that are known.
	Baseline *Baseline
	// Resources corrects what is inferred of the document's resources.
	Resources ResourceOverrides

	// Progress is called now and then, from one goroutine.
	Progress func(Progress)
	// Clock tells the time. Default time.Now.
	Clock func() time.Time

	sleep func(context.Context, time.Duration) error // tests have their own
}

// Progress is how far a run is.
type Progress struct {
	Phase      string
	Document   int64 // the size of all files of the document, in bytes
	Operations int   // in all
	Operation  int   // those done in this phase
	Cases      int   // sent so far
	Findings   int
	Left       time.Duration // at most
}

type (
	// Setup is values that exist at the backend, for variables of paths (Path) and properties of bodies
	// (Body), in general (Values) and by operation ("METHOD path" in Operations).
	Setup = runner.Setup
	// SetupValues are values by name.
	SetupValues = runner.SetupValues
	// Rules are rules of operations, and waivers of findings.
	Rules = rules.Rules
	// OperationRule changes how the operations that it names are tested: skipped, with other checks, severities,
	// timeout or expected statuses.
	OperationRule = rules.OperationRule
	// Waiver has findings listed apart, so that they do not fail a run.
	Waiver = rules.Waiver
	// RuleError has what is wrong in Options.Rules, or in the file of LoadRules.
	RuleError = rules.Error
	// Phase is a family of cases: one row of the table of phases.
	Phase = runner.Phase
	// ResourceOverrides correct the inference of resources. ReadResourceOverrides makes them.
	ResourceOverrides = resource.Overrides
)

// Phases returns the table of phases, in the order in which they run.
func Phases() []*Phase { return runner.Phases() }

// LoadRules reads the operations and waivers in the section test of a coldframe.yaml.
func LoadRules(file string) (Rules, error) { return rules.Load(file) }

// ReadResourceOverrides reads corrections: an object in YAML or JSON like "resources" of coldframe.yaml, whose names
// are "METHOD path" or a path. name is that of the file, for findings. Run checks the values.
func ReadResourceOverrides(name string, text []byte) (ResourceOverrides, error) {
	return resource.ReadOverrides(name, text)
}

// OptionError says which option, a field of Options, is unusable. Messages name other
// fields as Options.Field.
type OptionError struct{ Option, Message string }

func (e *OptionError) Error() string { return e.Option + ": " + e.Message }

// SetupError has what is wrong in Options.SetupFile.
type SetupError struct{ Findings []exchange.Finding }

func (e *SetupError) Error() string {
	lines := []string{"the setup cannot be used:"}
	for _, f := range e.Findings {
		lines = append(lines, f.String())
	}
	return strings.Join(lines, "\n")
}

// AccessError says that a backend accepted no request: not one operation could be tested.
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

// chosenPhases returns the phases with some ids; all for none.
func chosenPhases(ids []string) ([]*Phase, error) {
	known := func(p *Phase) string { return p.ID }
	if err := requireKnown("Phases", ids, runner.Phases(), known); err != nil || len(ids) == 0 {
		return runner.Phases(), err
	}
	left := func(p *Phase) bool { return !slices.Contains(ids, p.ID) }
	return slices.DeleteFunc(slices.Clone(runner.Phases()), left), nil
}

// chosenChecks returns those that are named, or all that are not strict; "!" excludes one.
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

// requireKnown refuses ids that no row of a table has.
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

// ChangedPassword gives, of the context of Options.RefreshToken, the password that a request of the run has changed the
// caller's to; "" if none has.
func ChangedPassword(ctx context.Context) string { return credentials.PasswordFrom(ctx) }
