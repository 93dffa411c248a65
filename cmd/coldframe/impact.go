package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/footprint"
	"github.com/coldframe/coldframe/internal/impact"
	"github.com/coldframe/coldframe/internal/outfile"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/revision"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/visible"
	"github.com/coldframe/coldframe/mock"
)

// assessment has the settings of `coldframe impact`.
type assessment struct {
	mock.Options
	kinds   []string
	only    []string // patterns of changes
	jobs    int
	maxRuns int
	timeout time.Duration
	reports map[string]string // file by format
	quiet   bool
}

func (p *program) impactCommand() *cobra.Command {
	t := &assessment{jobs: max(runtime.NumCPU()/2, 1), maxRuns: 100, reports: map[string]string{}}
	command := &cobra.Command{
		Use:   "impact DOCUMENT [NEW] -- COMMAND...",
		Short: "Find out which changes of a server break a client's tests",
		Long: "Run COMMAND, a client's test suite, against a mock of the OpenAPI document DOCUMENT,\n" +
			"and then once for each variation that the document allows and that the suite can\n" +
			"notice: an optional property is absent, a nullable one is null, a list is empty, a\n" +
			"page is the last, an open enum has another value, a documented error. Each run has a\n" +
			"mock of its own, whose address is in the environment variable COLDFRAME_URL.\n\n" +
			"With NEW, a later version of the document, COMMAND is run once for each change that\n" +
			"may break a client, against a mock of DOCUMENT with this change alone. Both may be\n" +
			"files of a Git revision: main:openapi.yaml.\n\n" +
			"A change is reported if COMMAND fails twice with it, and passes in between without\n" +
			"it. Values that the suite itself has sent are never changed.\n\n" +
			"COMMAND is run directly, without a shell, in the current folder. Flags of the mock\n" +
			"and coldframe.yaml beside the document set up the mock.\n\n" +
			"The exit code is 0 if nothing breaks, 1 if something does, 2 if COMMAND fails against\n" +
			"the plain mock or sends it no request.",
		Example: "  coldframe impact openapi.yaml -- npm test\n" +
			"  coldframe impact main:openapi.yaml openapi.yaml -- npm test\n" +
			"  coldframe impact openapi.yaml --vary absent,null -- go test ./client",
		Args: func(command *cobra.Command, args []string) error {
			documents := command.ArgsLenAtDash()
			switch {
			case documents < 0 || documents == len(args):
				return errors.New("impact needs a command after --: coldframe impact openapi.yaml -- npm test")
			case documents != 1 && documents != 2:
				return errors.New("impact needs a document before --, or its old and new version")
			}
			return nil
		},
		RunE: func(command *cobra.Command, args []string) error {
			at := command.ArgsLenAtDash()
			return p.impact(command.Context(), t, args[:at], args[at:])
		},
	}
	f := command.Flags()
	f.SortFlags = false
	f.Var(names(&t.kinds, "KIND,...", each(impact.Kinds(), func(k *impact.Kind) string { return k.Name })), "vary",
		"kinds of variations: "+strings.Join(each(impact.Kinds(), func(k *impact.Kind) string { return k.Name }), ", ")+
			"; !KIND excludes (default all)")
	f.Var(patterns(&t.only), "only", "changes to run, by their ids in the JSON report; * for any text")
	f.Var(positive(&t.jobs), "jobs", "runs at a time")
	f.Var(positive(&t.maxRuns), "max-runs", "changes that are run at most")
	f.Var(timeout(&t.timeout), "timeout", "longest time of one run (default five times the plain run, 10s at least)")
	f.Var(impactReports(t.reports), "report",
		"reports to write: "+strings.Join(slices.Sorted(maps.Keys(impact.Formats)), ", ")+"; - for standard output")
	f.BoolVarP(&t.quiet, "quiet", "q", false, "print the summary only, and no progress")
	all := pflag.NewFlagSet("", pflag.ContinueOnError)
	mockFlags(all, &t.Options, new(covering), new(string))
	all.VisitAll(func(flag *pflag.Flag) {
		if f.Lookup(flag.Name) == nil && !slices.Contains(ofListeners, flag.Name) {
			f.AddFlag(flag)
		}
	})
	return command
}

// ofListeners are flags of mocks that listen until they are stopped.
var ofListeners = []string{
	"host", "allowed-host", "trust-proxy", "port", "private-network", "max-connections", "log", "coverage", "min-coverage",
	"control-port", "control-token", "tls-cert", "tls-key", "tls", "watch",
}

func impactReports(to map[string]string) *value {
	known := slices.Sorted(maps.Keys(impact.Formats))
	return &value{form: reportForm, words: known, set: func(text string) error {
		for part := range strings.SplitSeq(text, ",") {
			format, file, hasFile := strings.Cut(strings.TrimSpace(part), "=")
			switch {
			case !slices.Contains(known, format):
				return fmt.Errorf("%q is no format of reports; there are %s", format, strings.Join(known, ", "))
			case !hasFile:
				file = "-"
			case file == "":
				return fmt.Errorf("%s needs a file: %[1]s=FILE", format)
			}
			to[format] = file
		}
		return nil
	}}
}

func (p *program) impact(ctx context.Context, t *assessment, documents, words []string) (err error) {
	if err := canRun(words); err != nil {
		return err
	}
	for _, file := range t.reports {
		if file != "-" {
			if err := checkFolder(file); err != nil {
				return fmt.Errorf("%s: %q cannot be written: %w", p.origin("report"), file, err)
			}
		}
	}
	o := &t.Options
	load := spec.Options{
		AllowExternal: o.Load.AllowExternalRefs, Root: o.Load.RefsRoot, IgnoreUnreadable: o.Load.IgnoreUnreadableRefs,
		MaxBytes: o.Load.MaxDocument, Timeout: o.Load.Timeout,
	}
	older := impact.Document{Options: load}
	if commit, file, ok := revision.Cut(documents[0]); ok {
		older.Options.Source, older.Location, err = revision.Open(ctx, commit, file)
	} else {
		older.Location, older.Options.Text, err = p.givenDocument(ctx, documents[0], o.Load.MaxDocument, o.Load.Timeout)
	}
	if err != nil {
		return err
	}
	o.State.Resources = mock.ResourceOverrides(p.corrections())
	o.Values.Overrides = mock.ValueOverrides(p.valueOverrides())
	o.Listen.NoListener = true
	footprint.Begin()
	contract, err := spec.Load(ctx, older.Location, older.Options)
	if err != nil {
		return err
	}
	o.Document, o.Text = older.Location, older.Options.Text
	if older.Options.Source != nil {
		o.Document, o.Files = contract.Texts()
	}
	var changes []*impact.Change
	var skipped []impact.Skipped
	if len(documents) == 2 {
		newer := impact.Document{Options: load}
		if commit, file, ok := revision.Cut(documents[1]); ok {
			newer.Options.Source, newer.Location, err = revision.Open(ctx, commit, file)
		} else {
			newer.Location, newer.Options.Text, err = p.document(ctx, documents[1], o.Load.MaxDocument, o.Load.Timeout)
		}
		if err != nil {
			return err
		}
		if changes, skipped, err = impact.Between(ctx, older, newer); err != nil {
			return err
		}
	}
	plan, _ := resource.Infer(contract, p.corrections())
	kinds := without(t.kinds, each(impact.Kinds(), func(k *impact.Kind) string { return k.Name }))
	bar := p.progressBar(t.quiet)
	p.orderly.Store(true) // what the command has started is ended
	result, err := impact.Run(ctx, impact.Options{
		Contract: contract, Plan: plan, Changes: changes, Skipped: skipped,
		Jobs: t.jobs, MaxRuns: t.maxRuns, Timeout: t.timeout,
		Chosen: func(c *impact.Change) bool {
			isNamed := len(t.only) == 0 ||
				slices.ContainsFunc(t.only, func(pattern string) bool { return spec.Glob(pattern)(c.ID) })
			return isNamed && (c.Files != nil || slices.Contains(kinds, c.Kind))
		},
		Mock: func(ctx context.Context, document string, files spec.Texts) (*impact.Mock, error) {
			served := *o
			if files != nil {
				served.Document, served.Text, served.Files = document, nil, files
			}
			server, err := mock.New(ctx, served)
			if err != nil {
				return nil, err
			}
			return &impact.Mock{
				Handler: server.Handler(), Unfit: func() string { return failedScenario(server) }, End: func() { server.Close() },
			}, nil
		},
		Command: func(ctx context.Context, variables []string, output *impact.Output) error {
			return runSuite(ctx, words, variables, output, output)
		},
		Progress: func(at impact.Progress) {
			if bar != nil {
				io.WriteString(bar.to, clearLine+fmt.Sprintf("%d of %s, %d break", at.Done, exchange.Count(at.Changes, "run"),
					at.Breaking))
			}
		},
	})
	bar.clear()
	if plain, ok := errors.AsType[*impact.PlainError](err); ok && plain.Output != "" {
		fmt.Fprint(p.stderr, strings.TrimRight(plain.Output, "\n")+"\n")
	}
	if err != nil {
		return err
	}
	result.Command = words
	if err := p.writeImpact(t, result); err != nil {
		return err
	}
	if result.Breaking() > 0 {
		return exitError(exitFindings)
	}
	return nil
}

// failedScenario returns why a scenario could not answer a request, "" if none failed.
func failedScenario(server *mock.Server) string {
	for _, e := range server.Requests() {
		for _, f := range e.Findings {
			if e.Scenario != "" && e.Response.Status == http.StatusInternalServerError && f.Severity == exchange.Error {
				return f.Message
			}
		}
	}
	return ""
}

func (p *program) writeImpact(t *assessment, result *impact.Report) error {
	to := p.stdout
	if slices.Contains(slices.Collect(maps.Values(t.reports)), "-") {
		to = p.stderr
	}
	text := result.Text()
	if t.quiet {
		text = result.Summary() + "\n"
	}
	_, err := io.WriteString(to, text)
	failed := []error{err}
	for format, file := range t.reports {
		text, err := impact.Formats[format](result)
		switch {
		case err != nil:
		case file == "-":
			_, err = p.stdout.Write(text)
		default:
			err = outfile.Write(file, visible.Bytes(text))
		}
		failed = append(failed, err)
	}
	return errors.Join(failed...)
}
