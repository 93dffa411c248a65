package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/coldframe/coldframe"
	"github.com/coldframe/coldframe/contracts"
)

// trial is what `coldframe test` was asked for.
type trial struct {
	contracts.Options
	judging
	authCommand     string
	apiKeys, header pairs
	shard           shard
	setup           string
	list            bool
}

func (p *program) testCommand() *cobra.Command {
	t := trial{}
	t.MaxTime, t.Timeout = 5*time.Minute, 10*time.Second
	t.MaxCases, t.FuzzCases, t.Workers = 50_000, 100, 8
	t.apiKeys, t.header = pairs{form: "NAME=VALUE", separator: "="}, pairs{form: "NAME: VALUE", separator: ":"}
	command := &cobra.Command{
		Use:         "test [DOCUMENT] URL",
		Short:       "Test a backend against its document",
		Annotations: map[string]string{readsConfig: "test"},
		Long: "Test whether the backend at URL does what the OpenAPI document DOCUMENT says: a\n" +
			"file, an http(s) URL or \"-\" for standard input. Without DOCUMENT it is\n" +
			"./openapi.yaml, or the Plant Store that is built in where there is none.\n\n" +
			"Requests go to URL's origin only. They create, change and remove things there,\n" +
			"unless --read-only is given.\n\n" +
			"It ends with 0 where all holds, 1 where something is found, 2 where nothing could\n" +
			"be tested, 130 where it was interrupted before it found anything.\n\n" +
			"Secrets are best given in the environment, where each flag has a twin: --token is\n" +
			"COLDFRAME_TOKEN.",
		Example: "  coldframe test openapi.yaml http://localhost:8080\n" +
			"  coldframe test openapi.yaml https://staging.example.com --phase examples,coverage --report junit=contract.xml\n" +
			"  coldframe test --list",
		Args: func(command *cobra.Command, args []string) error {
			if t.list {
				return takes(0, 0, "no arguments with --list")(command, args)
			}
			return takes(1, 2, "a document and the URL of a backend")(command, args)
		},
		RunE: func(command *cobra.Command, args []string) error {
			if t.list {
				return p.printTables()
			}
			return p.test(command.Context(), &t, args)
		},
	}
	f := command.Flags()
	f.SortFlags = false
	f.StringVar(&t.Token, "token", "", "`TOKEN` for bearer, OAuth2 and OpenID schemes")
	f.StringVar(&t.User, "user", "", "`NAME:PASSWORD` for basic schemes")
	f.Var(&t.apiKeys, "api-key", "key of a scheme or of a header, query or cookie parameter; may be given several times")
	f.VarP(&t.header, "header", "H", "sent with every request; may be given several times")
	f.StringVar(&t.authCommand, "auth-command", "",
		"shell `COMMAND` that prints a token, at start and when one has run out")
	f.Var(&named{to: &t.Phases, form: "PHASE,...", known: phaseIDs()}, "phase",
		"families of cases that run; !PHASE leaves out; see --list")
	t.judging.checkFlags(f)
	f.BoolVar(&t.ReadOnly, "read-only", false, "send GET and HEAD only")
	f.StringVar(&t.setup, "setup", "", "`FILE` of values for paths and bodies that exist at the backend")
	f.Uint64Var(&t.Seed, "seed", 0, "`number` that decides the cases")
	f.Var(positive(&t.MaxCases), "max-cases", "cases of a run, shared between the operations")
	f.Var(timeout(&t.MaxTime), "max-time", "time after which a run ends")
	f.Var(positive(&t.FuzzCases), "fuzz-cases", "random cases for each operation")
	f.Var(rate(&t.Rate), "rate", "most requests a second (default no bound)")
	f.Var(positive(&t.Workers), "workers", "requests that are on their way at once")
	f.Var(timeout(&t.Timeout), "timeout", "time that one request may take")
	f.Var(shardOf(&t.shard), "shard", "part of the operations that is tested, such as 2/4")
	f.BoolVar(&t.Insecure, "insecure", false, "take any certificate")
	t.judging.outputFlags(f)
	f.BoolVar(&t.list, "list", false, "print the phases, stateful tests and checks")
	return command
}

// test runs the contract tester and reports.
func (p *program) test(ctx context.Context, t *trial, args []string) error {
	o := &t.Options
	document, url := "", args[len(args)-1]
	if len(args) == 2 {
		document = args[0]
	}
	if err := isBackend(url, len(args)); err != nil {
		return err
	}
	known, err := t.judging.prepare(p)
	if err != nil {
		return err
	}
	o.Baseline, o.Checks, o.Strict, o.Operations, o.MaxResponseTime = known, t.checks, t.strict, t.operations, t.slowest
	if named := o.Phases; len(named) > 0 {
		if o.Phases = without(named, phaseIDs()); len(o.Phases) == 0 {
			return fmt.Errorf("%s: no phase is left", p.origin("phase"))
		}
	}
	o.URL = url
	o.Shard, o.Shards = t.shard.part, t.shard.of
	o.APIKeys, o.Headers = t.apiKeys.values(), t.header.header()
	if o.Document, o.Text, err = p.testedDocument(ctx, document); err != nil {
		return err
	}
	o.AllowExternalRefs, o.SetupFile, o.Resources = t.external, t.setup, p.corrections()
	if t.authCommand != "" {
		if o.Token != "" {
			return errors.New(p.origin("auth-command") + " and " + p.origin("token") + " exclude each other")
		}
		o.RefreshToken = func(ctx context.Context) (string, error) { return tokenFrom(ctx, t.authCommand) }
	}
	bar := p.progressBar(t.quiet)
	o.Progress = bar.show
	report, err := contracts.Run(ctx, *o)
	bar.clear()
	if err != nil {
		return err
	}
	if err := t.judging.finish(ctx, p, report); err != nil || report.Ended == "" || report.Took >= o.MaxTime {
		return err
	}
	return errors.New(report.Ended) // also where no check was to find that
}

// isBackend says what is wrong with the last argument where it is no URL.
func isBackend(url string, arguments int) error {
	if strings.HasPrefix(url, "http://") || strings.HasPrefix(url, "https://") {
		return nil
	}
	if _, err := os.Stat(url); err == nil || url == "-" {
		if arguments == 1 {
			return fmt.Errorf("%q is a document; the URL of a backend is missing: coldframe test %[1]s http://localhost:8080",
				url)
		}
		return fmt.Errorf("%q is no URL of a backend; the document comes first: coldframe test [DOCUMENT] URL", url)
	}
	if strings.Contains(url, "://") {
		return fmt.Errorf("%q is no URL of a backend: it begins with http:// or https://", url)
	}
	return fmt.Errorf("%q is no URL of a backend; did you mean http://%[1]s?", url)
}

// testedDocument gives the document that was named, else the default one, with its text
// where it is no file or URL.
func (p *program) testedDocument(ctx context.Context, document string) (name string, text []byte, err error) {
	switch document {
	case "":
		if _, err := os.Stat(defaultDocument); errors.Is(err, fs.ErrNotExist) {
			return defaultDocument, coldframe.PlantStore, nil
		}
		return defaultDocument, nil, nil
	case "-":
		text, err := p.readStdin(ctx)
		return standardInput, text, err
	}
	return document, nil, nil
}

// printTables prints what a test consists of.
func (p *program) printTables() error {
	_, err := io.WriteString(p.stdout, tables())
	return err
}
