package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/coldframe/coldframe/cmd/coldframe/internal/testui"
	"github.com/coldframe/coldframe/contracts"
	"github.com/coldframe/coldframe/internal/auth"
	"github.com/coldframe/coldframe/internal/footprint"
	"github.com/coldframe/coldframe/internal/outfile"
	"github.com/coldframe/coldframe/report"
)

type trial struct {
	contracts.Options
	judging
	authCommand     string
	restart         string // command
	minTested       float64
	shard           [2]int
	suggested       string // file
	list            bool
	allowIncomplete bool
	ui              bool
}

func (p *program) testCommand() *cobra.Command {
	t := trial{minTested: 50, Options: contracts.Options{
		Limits: contracts.Limits{
			MaxTime: 5 * time.Minute, Timeout: 10 * time.Second, MaxCases: 50_000, FuzzCases: 100, Workers: 8,
		},
	}}
	command := &cobra.Command{
		Use:         "test [DOCUMENT] URL",
		Short:       "Test a backend against its document",
		Annotations: map[string]string{readsConfig: "test"},
		Long: "Test whether the backend at URL conforms to the OpenAPI document DOCUMENT: a\n" +
			"file, a folder that has one, an http(s) URL or \"-\" for standard input. It defaults\n" +
			"to ./openapi.yaml (or .yml, .json, swagger.*), and to the built-in Plant Store if\n" +
			"there is none.\n\n" +
			"Requests go to URL's origin only. They create, change and delete data there,\n" +
			"unless --read-only is given.\n\n" +
			"The exit code is 0 without findings, 1 with findings, 2 if too little could be\n" +
			"tested or a phase could not run, 130 if it was interrupted before it found anything.\n\n" +
			"Prefer the environment for secrets. Each flag has a variable: --token is\n" +
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
				_, err := io.WriteString(p.stdout, tables())
				return err
			}
			if err := t.checkSuggested(p); err != nil {
				return err
			}
			return p.test(command.Context(), &t, args)
		},
	}
	f := command.Flags()
	f.SortFlags = false
	credentialFlags(f, &t.Credentials)
	f.Var(identity(&t.Identities), "as",
		"user with a TOKEN (default in COLDFRAME_TOKEN_NAME, or from --auth-command); the others must not get what is "+
			"private to the first; given at least twice")
	f.Var(patterns(&t.Select.Private), "private",
		"operations whose items only their creator may see or change; see --as")
	f.StringVar(&t.authCommand, "auth-command", "",
		"shell `COMMAND` that prints a token, at start and when a token has expired")
	f.Var(names(&t.Select.Phases, "PHASE,...", phaseIDs()), "phase",
		"phases to run; !PHASE excludes; see --list")
	checkFlags(f, &t.Select.Checks, &t.Select.Strict, &t.Limits.MaxResponseTime, &t.Select.Operations)
	f.BoolVar(&t.allowIncomplete, "allow-incomplete", false, "do not exit with 2 if phases could not run to their end")
	f.BoolVar(&t.Select.ReadOnly, "read-only", false, "send GET and HEAD only")
	f.BoolVar(&t.Select.Destructive, "destructive", false, "send also what may change what the run did not create")
	f.StringVar(&t.SetupFile, "setup", "", "`FILE` of values for paths and bodies that the backend has")
	f.StringVar(&t.suggested, "suggest-setup", "",
		"`FILE` to write after the run: a setup for the operations that accepted no request")
	f.Uint64Var(&t.Seed, "seed", 0, "`number` that selects the cases")
	f.Var(bounded(positive, &t.Limits.MaxCases, ""), "max-cases", "cases of a run, shared between the operations")
	f.Var(bounded(timeout, &t.Limits.MaxTime, ""), "max-time", "longest time of a run")
	f.Var(bounded(positive, &t.Limits.FuzzCases, ""), "fuzz-cases", "random cases for each operation")
	f.Var(rate(&t.Limits.Rate), "rate", "requests a second at most (default no limit)")
	f.Var(bounded(positive, &t.Limits.Workers, ""), "workers", "concurrent requests")
	f.Var(bounded(timeout, &t.Limits.Timeout, ""), "timeout", "longest time of one request")
	f.DurationVar(&t.Limits.Settle, "settle", 2*time.Second, "longest time until reads show a change")
	f.Var(percent(&t.minTested), "min-tested",
		"exit with 2 if fewer of the operations accept a request (default 50)")
	f.BoolVar(&t.Cleanup, "cleanup", false, "delete the items of the run when it ends, also after Ctrl-C")
	f.StringVar(&t.restart, "restart-command", "", "shell `COMMAND` that restarts a backend that has ended")
	f.Var(shard(&t.shard), "shard", "part of the operations to test, such as 2/4")
	f.BoolVar(&t.Insecure, "insecure", false, "accept any certificate")
	t.outputFlags(f)
	f.BoolVar(&t.ui, "ui", false, "serve a page that shows the run live, and its report until Ctrl-C")
	documentFlags(f, &t.Load.AllowExternalRefs, &t.Load.RefsRoot, &t.Load.IgnoreUnreadableRefs, &t.Load.Timeout,
		&t.Load.MaxDocument)
	f.BoolVar(&t.list, "list", false, "print the phases, stateful tests and checks")
	return command
}

// credentialFlags adds the flags for credentials of a backend.
func credentialFlags(f *pflag.FlagSet, c *contracts.Credentials) {
	c.APIKeys, c.Headers = map[string]string{}, http.Header{}
	f.StringVar(&c.Token, "token", "", "`TOKEN` for bearer, OAuth2 and OpenID schemes")
	f.StringVar(&c.User, "user", "", "`NAME:PASSWORD` for basic schemes")
	f.Var(pairs("NAME=VALUE", "=", func(name, key string) { c.APIKeys[name] = key }), "api-key",
		"key of a scheme or of a header, query or cookie parameter; may be given several times")
	f.VarP(pairs("NAME: VALUE", ":", c.Headers.Add), "header", "H",
		"header field of every request; may be given several times")
}

// identity is a user with a token, which error messages leave out.
func identity(to *[]contracts.Identity) *value {
	const form = "NAME[=TOKEN]"
	return repeated(form, func(line string) error {
		name, token, _ := strings.Cut(line, "=")
		name = strings.TrimSpace(name)
		if name == "" || strings.Trim(name, identityLetters) != "" {
			return errors.New("want " + form + ", with a name of letters, digits, - and _")
		}
		*to = append(*to, contracts.Identity{Name: name, Token: strings.TrimSpace(token)})
		return nil
	})
}

const identityLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"

// nameTokens completes the users of --as with the tokens of their environment variables, or of --auth-command.
func (t *trial) nameTokens() error {
	for i := range t.Identities {
		user := &t.Identities[i]
		if user.Token != "" {
			continue
		}
		variable := "COLDFRAME_TOKEN_" + strings.ToUpper(strings.ReplaceAll(user.Name, "-", "_"))
		switch user.Token = os.Getenv(variable); {
		case user.Token != "":
		case t.authCommand != "":
			name := user.Name
			user.Refresh = func(ctx context.Context) (string, error) { return tokenFrom(ctx, t.authCommand, name) }
		default:
			return fmt.Errorf("--as %s needs a token: --as %[1]s=TOKEN, the environment variable %s, or --auth-command",
				user.Name, variable)
		}
	}
	return nil
}

func (p *program) test(ctx context.Context, t *trial, args []string) (err error) {
	o := &t.Options
	document := ""
	if len(args) == 2 {
		document = args[0]
	}
	o.URL = args[len(args)-1]
	if o.Limits.Settle == 0 {
		o.Limits.Settle = -1
	}
	if err := isBackend("test", o.URL, len(args)); err != nil {
		return err
	}
	if o.Baseline, err = t.prepare(p); err != nil {
		return err
	}
	if named := o.Select.Phases; len(named) > 0 {
		if o.Select.Phases = without(named, phaseIDs()); len(o.Select.Phases) == 0 {
			return fmt.Errorf("%s: no phase remains", p.origin("phase"))
		}
	}
	o.Select.Shard, o.Select.Shards = t.shard[0], t.shard[1]
	if o.Document, o.Text, err = p.givenDocument(ctx, document, o.Load.MaxDocument, o.Load.Timeout); err != nil {
		return err
	}
	o.Resources = contracts.ResourceOverrides(p.corrections())
	if p.beside != nil && p.beside.HasRules {
		if o.Rules, err = contracts.LoadRules(p.beside.Path); err != nil {
			return err
		}
	}
	if err := t.nameTokens(); err != nil {
		return err
	}
	if t.authCommand != "" && len(o.Identities) == 0 {
		if o.Credentials.Token != "" {
			return errors.New(p.origin("auth-command") + " and " + p.origin("token") + " exclude each other")
		}
		o.Credentials.Refresh = func(ctx context.Context) (string, error) { return tokenFrom(ctx, t.authCommand, "") }
	}
	if o.Limits.MinTested = t.minTested; t.minTested == 0 {
		o.Limits.MinTested = -1
	}
	if t.restart != "" {
		o.Restart = func(ctx context.Context) error { return restartBy(ctx, t.restart) }
	}
	var page *testui.Page
	if t.ui {
		if page, err = testui.Open(o.Document, o.URL); err != nil {
			return err
		}
		defer page.Close()
		fmt.Fprintln(p.stderr, "watch the test: "+page.Address())
	}
	footprint.Begin()
	limited := false
	bar := p.progressBar(t.quiet)
	o.Progress = func(at contracts.Progress) {
		p.orderly.Store(true)
		if !limited {
			limited = true
			footprint.Limit(footprint.Test(at.Document, o.Limits.Workers))
		}
		bar.show(at)
		page.Show(at)
	}
	result, err := contracts.Run(ctx, *o)
	bar.clear()
	if err != nil {
		page.Fail(err)
		return err
	}
	err = t.conclude(ctx, p, result)
	page.Finish(result, versionText())
	if page != nil && ctx.Err() == nil {
		fmt.Fprintln(p.stderr, "the report stays at that address until Ctrl-C")
		<-ctx.Done()
	}
	return err
}

// conclude prints and writes the report of a run, and returns its exit code.
func (t *trial) conclude(ctx context.Context, p *program, result *report.Report) error {
	if err := t.suggest(result); err != nil {
		return err
	}
	switch err := t.finish(ctx, p, result); {
	case err != nil:
		return err
	case result.Ended != "" && result.Took < t.Limits.MaxTime: // even if no check was to find that
		return errors.New(result.Ended)
	case result.Insufficient != "":
		return errors.New(result.Insufficient)
	case result.Incomplete != "" && !t.allowIncomplete:
		return errors.New(result.Incomplete + " (--allow-incomplete)")
	}
	return nil
}

// checkSuggested finds out before the run whether the suggested setup cannot be written.
func (t *trial) checkSuggested(p *program) error {
	if t.suggested == "" {
		return nil
	}
	given, err := os.Stat(t.SetupFile)
	there, errThere := os.Stat(t.suggested)
	if t.suggested == t.SetupFile || err == nil && errThere == nil && os.SameFile(given, there) {
		return fmt.Errorf("%s: %q is the file of %s, which would be overwritten", p.origin("suggest-setup"), t.suggested,
			p.origin("setup"))
	}
	if err := checkFolder(t.suggested); err != nil {
		return fmt.Errorf("%s: %q cannot be written: %w", p.origin("suggest-setup"), t.suggested, err)
	}
	return nil
}

// suggest writes the setup that a report suggests, if the options name a file for it.
func (t *trial) suggest(result *report.Report) error {
	if t.suggested == "" {
		return nil
	}
	return outfile.Write(t.suggested, contracts.SuggestSetup(result))
}

// isBackend returns an error if the last argument is not a URL.
func isBackend(command, url string, arguments int) error {
	if strings.HasPrefix(url, "http://") || strings.HasPrefix(url, "https://") {
		return nil
	}
	if _, err := os.Stat(url); err == nil || url == "-" {
		if arguments == 1 {
			return fmt.Errorf("%q is a document; the URL of a backend is missing: coldframe %s %[1]s http://localhost:8080",
				url, command)
		}
		return fmt.Errorf("%q is no URL of a backend; the document comes first: coldframe %s [DOCUMENT] URL", url, command)
	}
	if strings.Contains(url, "://") {
		return fmt.Errorf("%q is no URL of a backend: a URL begins with http:// or https://", url)
	}
	return fmt.Errorf("%q is no URL of a backend; did you mean http://%[1]s?", url)
}

func tables() string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "Phases, in the order in which they run:")
	for _, p := range contracts.Phases() {
		fmt.Fprintf(w, "  %s\t%s\n", p.ID, p.Meaning)
	}
	w.Flush()
	fmt.Fprintln(w, "\nTests of the phase stateful:")
	for _, s := range contracts.StatefulTests() {
		fmt.Fprintf(w, "  %s\t%s\n", s.ID, s.Meaning)
	}
	w.Flush()
	fmt.Fprintln(w, "\nChecks:")
	for _, c := range contracts.Checks() {
		fmt.Fprintf(w, "  %s\t%s\t%s\n  \t\t%s (%s)\n", c.ID, severityOf(c), c.Meaning, c.Certainty, c.Source)
	}
	w.Flush()
	return b.String()
}

func severityOf(c report.Check) string {
	if c.Strict {
		return c.Severity.String() + ", strict"
	}
	return c.Severity.String()
}

// Limits of the command that prints a token.
const (
	maxCommandTime   = 30 * time.Second
	maxCommandOutput = 64 << 10 // bytes kept of its output
)

// tokenFrom returns the token that a shell command prints. The environment variable COLDFRAME_IDENTITY names the user
// of --as, or is empty. If the command fails, the error has its standard error, never its standard output.
func tokenFrom(ctx context.Context, command, user string) (string, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, maxCommandTime, fmt.Errorf("it took longer than %v", maxCommandTime))
	defer cancel()
	var printed, said limited
	c := exec.CommandContext(ctx, "sh", "-c", command)
	c.Stdout, c.Stderr = &printed, &said
	c.Env = append(os.Environ(), "COLDFRAME_IDENTITY="+user)
	c.WaitDelay = time.Second // for child processes that it left running
	killAll(c)
	err := c.Run()
	token := strings.TrimSpace(printed.String())
	switch {
	case ctx.Err() != nil:
		err = context.Cause(ctx)
	case err != nil:
	case token == "":
		err = errors.New("it printed nothing")
	case strings.ContainsFunc(token, func(r rune) bool { return r < ' ' || r == 0x7f }):
		err = errors.New("it printed more than a token: several lines, or control characters")
	case printed.full:
		err = errors.New("it printed too much for a token")
	default:
		return token, nil
	}
	text := fmt.Sprintf("the command of --auth-command printed no token: %v", err)
	complaint := strings.TrimSpace(said.String())
	for _, word := range strings.Fields(printed.String()) { // its standard error may repeat the token, as with set -x
		if len(word) >= auth.LeastSecret {
			complaint = strings.ReplaceAll(complaint, word, auth.Redacted)
		}
	}
	if complaint != "" {
		text += "\n" + complaint
	}
	return "", errors.New(text)
}

// restartBy runs a shell command that starts a backend. Processes that the command leaves running survive.
func restartBy(ctx context.Context, command string) error {
	ctx, cancel := context.WithTimeout(ctx, maxCommandTime)
	defer cancel()
	c := exec.CommandContext(ctx, "sh", "-c", command)
	c.WaitDelay = time.Second
	return c.Run()
}

// limited keeps the first bytes that are written to it.
type limited struct {
	bytes.Buffer
	full bool
}

func (l *limited) Write(text []byte) (int, error) {
	if room := maxCommandOutput - l.Len(); len(text) > room {
		l.full = true
		l.Buffer.Write(text[:room])
		return len(text), nil
	}
	return l.Buffer.Write(text)
}
