package mock

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/coldframe/coldframe/internal/loading"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/mock/internal/draft"
	"github.com/coldframe/coldframe/mock/internal/fixtures"
	"github.com/coldframe/coldframe/mock/internal/journal"
	"github.com/coldframe/coldframe/mock/internal/prefer"
	"github.com/coldframe/coldframe/mock/internal/replay"
	"github.com/coldframe/coldframe/mock/internal/resources"
	"github.com/coldframe/coldframe/mock/internal/respond"
	"github.com/coldframe/coldframe/mock/internal/scenario"
	"github.com/coldframe/coldframe/mock/internal/state"
	"github.com/coldframe/coldframe/report/exchange"
)

// Info describes what a server serves.
type Info struct {
	Title   string
	Version string // of the API
	File    string // the document's
	// BasePaths are the prefixes of the paths of operations, from the document's servers, and "", as the mock also
	// answers without a prefix.
	BasePaths []string
	// Issuer is the URL of the issuer of Options.Auth.Mode, which clients are configured with; "" if none.
	Issuer string
	// Upstream is the URL of the service that a proxy forwards to; "" for a mock.
	Upstream string
	// Mocked are the operations that a proxy does not forward: "POST /orders".
	Mocked     []string
	Operations []OperationInfo
	Replayed   ReplayInfo
	Scenarios  []string           // names, in order
	Findings   []exchange.Finding // on the document and the scenarios
	Files      []string           // that the document, the scenarios and the data were read from
}

// ReplayInfo says what of Options.Replay answers requests. The zero value is for none.
type ReplayInfo struct {
	Exchanges int
	// Stale are where recorded responses leave the document: warnings, at most 1,000. They are served as recorded.
	Stale []exchange.Finding
	// Left are the entries that answer nothing, each with the reason; at most 1,000.
	Left []string
}

// OperationInfo is one operation of the document.
type OperationInfo struct {
	ID      string
	Method  string
	Path    string // the template
	Summary string
	example func(url string) string
}

// Curl returns a command line that sends a valid request to the operation at a scheme
// and host; "" if no valid request can be generated.
func (o OperationInfo) Curl(url string) string { return o.example(url) }

// Entry is one exchange of the journal, without its credentials. It marshals to the JSON that the control API returns.
type Entry struct {
	Number      uint64        // from 1, in the order in which exchanges ended
	Time        time.Time     // when the request had arrived
	Duration    time.Duration // how long it took to make the response
	Delay       time.Duration // how long the response was then held back
	Session     string        // "" for requests that name none
	Consumer    string        // who sent a forwarded request; "" if that is not known
	Mocked      string        // why a proxy did not forward the request; "" if it did, and for a mock
	Merged      string        // how a proxy's response differs from the upstream's; "" if it does not
	Replayed    string        // the recorded exchange that answered: "traffic.har entry 3"; "" if none did
	Operation   string        // "POST /plants", with the document's template; "" if the request led to no operation
	OperationID string        // the operationId, or Operation if there is none
	Request     exchange.Request
	Response    exchange.Response
	// RequestSize and ResponseSize are the bytes of the bodies, of which the first 64 KiB are kept.
	RequestSize, ResponseSize int
	Scenario                  string             // the scenario that had an effect; "" if none
	Rule                      int                // the number of its rule, from 1
	Fault                     string             // the fault that broke the response; "" if none
	Findings                  []exchange.Finding // what was wrong with the exchange
	Notes                     []exchange.Note    // what of the request is not simulated

	why    journal.Why
	writes []state.Write
}

// plainEntries returns entries as callers see them.
func plainEntries(entries []*journal.Entry) []*Entry {
	all := make([]*Entry, 0, len(entries))
	for _, e := range entries {
		plain := &Entry{
			Number: e.Number, Time: e.Time, Duration: e.Duration, Delay: e.Delay, Session: e.Session,
			Consumer: e.Consumer, Mocked: e.Mocked, Merged: e.Merged, Replayed: e.Replayed,
			Request: *e.Request.Plain(), Response: e.Response, RequestSize: e.RequestSize, ResponseSize: e.ResponseSize,
			Scenario: e.Scenario, Rule: e.Rule, Fault: e.Fault, Findings: e.Findings, Notes: e.Notes,
			why: e.Why, writes: e.Writes,
		}
		if e.Operation.Path != "" {
			plain.Operation, plain.OperationID = e.Operation.String(), e.Operation.ID
		}
		all = append(all, plain)
	}
	return all
}

// MarshalJSON writes the entry as the control API does: one object, in one line.
func (e *Entry) MarshalJSON() ([]byte, error) {
	recorded := &journal.Entry{
		Number: e.Number, Time: e.Time, Duration: e.Duration, Delay: e.Delay, Session: e.Session,
		Consumer: e.Consumer, Mocked: e.Mocked, Merged: e.Merged, Replayed: e.Replayed,
		Response: e.Response, RequestSize: e.RequestSize, ResponseSize: e.ResponseSize,
		Scenario: e.Scenario, Rule: e.Rule, Fault: e.Fault, Findings: e.Findings, Notes: e.Notes,
		Why: e.why, Writes: e.writes,
	}
	r := &recorded.Request
	r.Method, r.Path, r.Query = e.Request.Method, e.Request.Path, e.Request.Query
	r.Header, r.Body = e.Request.Header, e.Request.Body
	method, path, _ := strings.Cut(e.Operation, " ")
	recorded.Operation = journal.Operation{ID: e.OperationID, Method: method, Path: path}
	return recorded.MarshalJSON()
}

// ScenarioSchema is the JSON Schema of scenario files, for editors.
func ScenarioSchema() []byte { return scenario.Schema() }

// ScenarioOutline says what a scenario file is for.
type ScenarioOutline struct {
	Name        string
	Description string // as the file has it; "" if it has none
	File        string // the given name
	Active      bool   // it applies to requests that choose no scenario
}

// ScenarioOutlines reads what scenario files are for, without a document. A path
// is a file or a directory of files.
func ScenarioOutlines(paths ...string) ([]ScenarioOutline, []exchange.Finding, error) {
	outlines, findings, err := scenario.Outlines(paths...)
	var all []ScenarioOutline
	for _, o := range outlines {
		all = append(all, ScenarioOutline(o))
	}
	return all, findings, err
}

// CheckScenarios reads the scenarios of the options and checks them against the document of the options. It returns the
// names of the scenarios, nil if a finding is an error, and all findings. The error is the document's, or
// says that a file cannot be read.
func CheckScenarios(ctx context.Context, o Options) (names []string, findings []exchange.Finding, err error) {
	ctx, cancel := loading.WithTimeout(ctx, o.Load.Timeout)
	defer cancel()
	document, err := o.document(ctx, nil)
	if err != nil {
		return nil, nil, err
	}
	book, findings, err := o.book(ctx, document)
	if err != nil || book == nil {
		return nil, findings, err
	}
	return book.Names(), findings, nil
}

// NewScenario writes a scenario file that forces a status of an operation of the options' document: METHOD
// path or an operationId. The status is a documented one unless violates is set.
func NewScenario(ctx context.Context, o Options, operation string, status int, violates bool) ([]byte, error) {
	document, err := o.document(ctx, nil)
	if err != nil {
		return nil, err
	}
	return scenario.New(document, operation, status, violates)
}

// ScenarioFrom writes a scenario file that answers requests as recordings have it: HAR, or the journal of a mock. left
// says what the file lacks, and where it violates the document.
func ScenarioFrom(ctx context.Context, o Options, recordings ...string) (text []byte, left []string, err error) {
	c, err := o.unserved(ctx)
	if err != nil {
		return nil, nil, err
	}
	return draft.Recorded(ctx, c.Contract, c.replaying(recordings, defaultRecordings))
}

// DataFrom writes a file of Options.State.Data with the items that recordings show, each as it was shown last. Deleted
// ones are left out. left says what else is.
func DataFrom(ctx context.Context, o Options, recordings ...string) (text []byte, left []string, err error) {
	c, err := o.unserved(ctx)
	if err != nil {
		return nil, nil, err
	}
	items, shown := state.New(state.Limits{}), map[[2]string]string{}
	from := c.replaying(recordings, defaultRecordings)
	_, left, err = replay.Each(ctx, from, func(r *replay.Request, e *replay.Entry) error {
		q := &respond.Request{
			Request: r.Request, Operation: c.operations[r.Operation].Operation, Values: r.Values, Preferences: prefer.None(),
		}
		for _, item := range c.adopt(&resources.Request{Request: q, Session: items}, e.Response) {
			shown[[2]string{item.Collection, item.Key}] = e.String()
		}
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	text, refused, err := fixtures.Write(ctx, c.resources, c.router, items.View())
	for _, r := range refused {
		entry := shown[[2]string{r.Collection, r.Key}]
		left = append(left, fmt.Sprintf("%s, %s %s: %s", entry, r.Collection, r.Key, r.Reason))
	}
	return text, left, err
}

// Imports are the tools whose files Import reads.
func Imports() (all []ImportTool) {
	for _, t := range draft.Tools {
		all = append(all, ImportTool{t.Name, t.Files})
	}
	return all
}

// ImportTool is a tool whose files Import reads.
type ImportTool struct {
	Name  string // wiremock
	Files string // what they are, for people
}

// Import turns the file of another tool into scenario files, whose names end in .yaml, and data.yaml, a file of
// Options.State.Data. left says what is in none of them, by place.
func Import(ctx context.Context, o Options, tool, file string) (files []Text, left []string, err error) {
	row := slices.IndexFunc(draft.Tools, func(t draft.Tool) bool { return t.Name == tool })
	if row < 0 {
		return nil, nil, fmt.Errorf("%q is no tool whose files can be imported", tool)
	}
	c, err := o.unserved(ctx)
	if err != nil {
		return nil, nil, err
	}
	budget := spec.ValueBudget(o.Load.MaxDocument)
	read, err := loading.Until(ctx, func() (*draft.Imported, error) {
		return draft.Foreign(c.Contract, draft.Tools[row], file, budget)
	})
	if err != nil {
		return nil, nil, err
	}
	for _, s := range read.Scenarios {
		files = append(files, Text{s.Name + ".yaml", s.Text})
	}
	left = read.Left
	items := state.New(state.Limits{})
	for _, list := range read.Items {
		for _, item := range list.Value.([]any) {
			if !c.keep(items, list.Path, item) {
				left = append(left, list.Place+": no operation of the document creates or lists items at "+list.Path)
				break
			}
		}
	}
	if len(read.Items) > 0 && items.View().Total() > 0 {
		text, refused, err := fixtures.Write(ctx, c.resources, c.router, items.View())
		for _, r := range refused {
			left = append(left, fmt.Sprintf("%s %s: %s", r.Collection, r.Key, r.Reason))
		}
		if err == nil {
			files = append(files, Text{"data.yaml", text})
		}
	}
	if len(files) == 0 {
		return nil, left, fmt.Errorf("nothing in %s can be used with the document", file)
	}
	return files, left, nil
}

// defaultRecordings is how many bytes of exchanges are kept to write a file of them.
const defaultRecordings = 128 << 20

// unserved returns the contract of the options' document alone.
func (o Options) unserved(ctx context.Context) (*contract, error) {
	s, err := New(ctx, Options{
		Document: o.Document, Text: o.Text, Load: o.Load, Listen: ListenOptions{NoListener: true},
		State: StateOptions{Resources: o.State.Resources},
	})
	if err != nil {
		return nil, err
	}
	defer s.Close()
	return s.current.Load(), nil
}

// ScenarioError lists the errors of scenario files.
type ScenarioError struct {
	Findings []exchange.Finding
}

func (e *ScenarioError) Error() string { return lines(e.Findings, exchange.Finding.String) }

// DataError lists the errors of the files of Options.State.Data.
type DataError struct {
	Findings []exchange.Finding
}

func (e *DataError) Error() string {
	return lines(e.Findings, func(f exchange.Finding) string {
		place := f.Document.String()
		if f.Document.Pointer != "" {
			place += ": " + f.Document.Pointer
		}
		return place + ": " + f.Message
	})
}

// lines returns findings one a line, as many as people read.
func lines(findings []exchange.Finding, text func(exchange.Finding) string) string {
	const most = 100
	var b strings.Builder
	for i, f := range findings {
		if i > 0 {
			b.WriteByte('\n')
		}
		if i == most {
			fmt.Fprintf(&b, "… and %d more", len(findings)-i)
			break
		}
		b.WriteString(text(f))
	}
	return b.String()
}
