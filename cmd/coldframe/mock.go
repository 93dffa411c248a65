package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/footprint"
	"github.com/coldframe/coldframe/internal/visible"
	"github.com/coldframe/coldframe/mock"
)

const (
	defaultPort   = 4010
	defaultMemory = 512 << 20
)

func (p *program) mockCommand(use string) *cobra.Command {
	var o mock.Options
	var cover covering
	tls := ""
	command := &cobra.Command{
		Use:        use,
		Short:      "Serve a mock of the document",
		SuggestFor: []string{"serve", "server", "start", "run"},
		Long: "Serve a mock of the OpenAPI document FILE: a file, a folder that has one, an\n" +
			"http(s) URL or \"-\" for standard input. Without FILE it serves ./openapi.yaml (or\n" +
			".yml, .json, swagger.*), or the built-in Plant Store if there is none.\n\n" +
			"With a COMMAND after --, the mock serves until the command ends, and the exit code\n" +
			"is 1 if it fails. COMMAND finds the mock by the environment variable COLDFRAME_URL.\n\n" +
			"Every flag has an environment variable: --max-body is COLDFRAME_MAX_BODY. A\n" +
			"flag on the command line wins over its variable.",
		Args: p.withSuite(takes(0, 1, "one document at most")),
		RunE: func(command *cobra.Command, args []string) (err error) {
			args = args[:len(args)-len(p.suite)]
			o.Listen.SelfSigned, p.serves = tls != "", true
			ctx := command.Context()
			o.Document, o.Text, err = p.document(ctx, append(args, "")[0], o.Load.MaxDocument, o.Load.Timeout)
			if err != nil {
				return err
			}
			if o.Watch && (o.Document == "" || o.Text != nil) && len(o.Scenarios)+len(o.State.Data)+len(o.Replay.Files) == 0 {
				return &mock.OptionError{Option: "watch", Reason: "there is no file to watch; name a document, a scenario or data"}
			}
			o.State.Resources = mock.ResourceOverrides(p.corrections())
			o.Values.Overrides = mock.ValueOverrides(p.valueOverrides())
			if err := cover.check(); err != nil {
				return err
			}
			return p.serve(ctx, o, announcing("built in: there is no ./"+documentNames[0]), cover.reportOf(p))
		},
	}
	command.Flags().SortFlags = false
	mockFlags(command.Flags(), &o, &cover, &tls)
	return command
}

// mockFlags adds the flags of "coldframe mock", and sets their variables to the defaults.
func mockFlags(f *pflag.FlagSet, o *mock.Options, cover *covering, tls *string) {
	*o = mock.Options{
		Limits: mock.Limits{
			RequestTimeout: 10 * time.Second, ReadTimeout: 2 * time.Minute, MaxBody: 10 << 20, MaxConnections: 1000,
			MaxItems: 100_000, MaxState: 256 << 20, Memory: defaultMemory,
		},
		Control: mock.ControlOptions{Journal: 1000},
	}
	f.StringVar(&o.Listen.Host, "host", "127.0.0.1", "`address` to listen on; 0.0.0.0 for all")
	f.StringArrayVar(&o.Listen.AllowedHosts, "allowed-host", nil,
		"additional `NAME` that the mock answers to, beside localhost and addresses; may be given several times")
	f.BoolVar(&o.Listen.TrustProxy, "trust-proxy", false,
		"take the mock's address from a proxy's Forwarded or X-Forwarded-Proto and -Host")
	f.IntVarP(&o.Listen.Port, "port", "p", defaultPort, "port to listen on; 0 for any free port")
	f.Uint64Var(&o.Values.Seed, "seed", 0, "`number` that selects the generated values")
	f.Var(locale(&o.Values.Locale), "locale",
		"language and country of generated values: "+strings.Join(mock.Locales(), ", "))
	f.BoolVarP(&o.Values.Dynamic, "dynamic", "d", false, "generate fresh values for every response, and serve no examples")
	f.StringVar(&o.Now, "clock", "real",
		"current `TIME` for items, expiry and scenarios: real, recent, session, fixed or fixed:2026-01-01T00:00:00Z")
	f.StringArrayVar(&o.Scenarios, "scenario", nil, "scenario `FILE` or directory; may be given several times")
	f.StringArrayVar(&o.Replay.Files, "replay", nil,
		"recording `FILE` (HAR, journal), or directory of *.har files, that answers requests before the mock; "+
			"may be given several times")
	f.BoolVar(&o.Replay.Strict, "replay-strict", false, "answer 501 to requests that no recorded exchange answers")
	f.StringArrayVar(&o.State.Data, "data", nil,
		"`FILE` or directory of initial items of each session; may be given several times")
	f.Var(choice(&o.State.UnknownItems, "generate", "refuse"), "unknown-items",
		"generate items that nobody created, or answer 404")
	f.BoolVar(&o.State.Stateless, "stateless", false,
		"answer each request by itself; only the control API shows created items")
	f.Var(bounded(whole, &o.State.SeedItems, "1000"), "seed-items",
		"initial `number` of generated items in each collection")
	f.Var(bounded(whole, &o.Limits.MaxItems, ""), "max-items",
		"`number` of items that a session keeps; the oldest are dropped first")
	f.Var(bounded(size, &o.Limits.MaxState, ""), "max-state",
		"size of the items that a session keeps; the oldest are dropped first")
	f.Var(bounded(size, &o.Limits.Memory, ""), "memory",
		"size of everything that grows, in all sessions; idle sessions, snapshots and the oldest items are dropped first")
	o.Limits.Memory = 0 // without the flag it follows --max-state
	f.Var(choice(&o.Listen.CORS, "on", "off"), "cors", "let pages of other origins read the responses")
	f.BoolVar(&o.Listen.PrivateNetwork, "private-network", false,
		"let pages of public sites reach the mock in a private network")
	f.StringVar(&o.Callbacks, "callbacks", "off",
		"where callbacks and webhooks may go: off, loopback or `HOST[:PORT],...`")
	f.Var(bounded(delay, &o.Delay, "10s"), "delay", "delay of every response: 250ms, or a number of milliseconds")
	f.Var(bounded(timeout, &o.Limits.RequestTimeout, ""), "request-timeout",
		"longest time for making a response, without delays; after it the mock answers 503")
	f.Var(bounded(timeout, &o.Limits.ReadTimeout, ""), "read-timeout",
		"longest time for a client to send a request, or to take a response")
	f.Var(bounded(size, &o.Limits.MaxBody, ""), "max-body", "largest size of a request's body")
	f.Var(bounded(size, &o.Limits.MaxBodies, "64MiB"), "max-bodies",
		"size of the bodies of all requests in flight; more get 503 (default 64MiB, or twice --max-body)")
	f.Var(bounded(positive, &o.Limits.MaxConnections, ""), "max-connections",
		"open connections; more get 503")
	f.Var(choice(&o.Validate, "strict", "warn", "off"), "validate",
		"refuse invalid requests, only report them, or do not validate")
	f.Var(choice(&o.Undeclared, "accept", "refuse"), "undeclared", "accept or refuse undocumented query parameters")
	f.Var(choice(&o.Auth.Mode, "on", "off", "issuer"), "auth",
		"check the form of credentials, or, with issuer, that the mock issued the token")
	f.StringArrayVar(&o.Auth.RedirectURIs, "redirect-uri", nil,
		"additional `URI` that the issuer may redirect to, beside this machine's; may be given several times")
	f.StringArrayVar(&o.Auth.Audiences, "audience", nil,
		"additional audience `NAME` of the issuer's tokens, beside addresses of the mock; may be given several times")
	f.Var(timeout(&o.Auth.TokenTTL), "token-ttl",
		"lifetime of the mock's access tokens: 15m (default the document's example, or 1h)")
	f.Var(choice(&o.Auth.MutualTLS, "require", "assume"), "mutual-tls",
		"require client certificates if the document does, or assume that a proxy has checked them")
	f.Var(choice(&o.Values.Examples, "valid", "as-is", "off"), "examples",
		"documented examples to serve: all that fit their schema, all, or none")
	f.BoolVar(&o.Values.StrictResponses, "strict-responses", false,
		"answer 500, not the nearest value, if no value fits the document")
	f.Var(choice(&o.Values.ImageURLs, "mock", "example"), "image-urls",
		"target of generated picture URLs: pictures of the mock, or example.com")
	f.Var(choice(&o.Values.Fill, "all", "required"), "fill", "properties of generated objects")
	f.Var(choice(&o.Log.Format, "text", "json", "off"), "log", "log of the requests")
	f.Var(bounded(journalEntries, &o.Control.Journal, ""), "journal",
		"exchanges that the journal keeps for the control API")
	f.StringArrayVar(&cover.files, "coverage", nil,
		"write a report of the used parts of the document to `FILE` at the end: .json, .info, .lcov, .txt, "+
			"or - for standard output; may be given several times")
	f.Var(percent(&cover.least), "min-coverage", "exit with 1 if less of the document was used")
	f.Var(choice(&o.Control.Mode, "on", "off"), "control",
		"control API below /__coldframe/; off leaves its health endpoint")
	f.Var(controlPort(&o.Control.Port), "control-port",
		"separate port of the control API; the mock's port then has its health endpoint only")
	f.StringVar(&o.Control.Token, "control-token", "",
		"bearer `TOKEN` that clients of the control API must send; generated at start if --host is not loopback")
	f.BoolVar(&o.Control.AllowEdit, "allow-edit", false,
		"let the control API write scenario files, in the folder of --scenario only")
	f.BoolVar(&o.Control.ReadOnlyConsole, "read-only-console", false,
		"let pages in a browser read the control API, but change nothing; other clients may")
	f.StringVar(&o.Listen.TLSCert, "tls-cert", "", "`FILE` of a certificate, to serve https")
	f.StringVar(&o.Listen.TLSKey, "tls-key", "", "`FILE` of the certificate's key")
	f.Var(choice(tls, "self-signed"), "tls", "serve https with a certificate generated at start")
	f.BoolVar(&o.Watch, "watch", false, "reload when a file of the document, a scenario or the data changes")
	documentFlags(f, &o.Load.AllowExternalRefs, &o.Load.RefsRoot, &o.Load.IgnoreUnreadableRefs, &o.Load.Timeout,
		&o.Load.MaxDocument)
}

// serve serves the options' document until the context is done, or until the program's suite has ended. announce
// returns the text to print at start. finish reports what was seen when the server has stopped; nil for nothing.
func (p *program) serve(
	ctx context.Context, o mock.Options, announce announcer, finish func(*mock.Server) error,
) error {
	footprint.Begin()
	o.Log.Colour, p.stdout.Private = p.stdout.Colours, true
	suiteOut, suiteErr := p.stdout.To, p.stderr.To
	stdout := newLogQueue(p.stdout.To, o.Log.Format == "json", maxQueued)
	stderr := newLogQueue(p.stderr.To, false, maxQueued)
	p.stdout.To, p.stderr.To, o.Log.To = stdout, stderr, stdout
	signal.Ignore(syscall.SIGPIPE) // the queues get the error
	defer stderr.flush()
	o.Control.Handlers = toolsOf(o)
	server, err := mock.New(ctx, o)
	if err != nil {
		return err
	}
	p.orderly.Store(true)
	footprint.Limit(footprint.Mock(server.Bounds()))
	banner := p.stdout
	if o.Log.Format == "json" {
		banner = p.stderr // standard output is for programs
	}
	control := "" // lines about the control API
	if server.ControlURL() != server.URL() {
		control = fmt.Sprintf("control API: %s/__coldframe/\n", server.ControlURL())
	}
	if issuer := server.Info().Issuer; issuer != "" {
		control += "issuer: " + issuer + "\n"
	}
	if o.Control.Mode != "off" {
		console := server.ControlURL() + "/__coldframe/"
		if made := server.ControlToken(); made != o.Control.Token {
			control += fmt.Sprintf("control API: needs Authorization: Bearer %s\n", made)
			console += "#token=" + made
		}
		control += "console: " + console + "\n"
	}
	io.WriteString(banner, announce(server, control, o.Document))
	err, failed := p.runServer(ctx, server, suiteOut, suiteErr)
	if finish != nil {
		failed = cmp.Or(finish(server), failed)
	}
	if lost, broken := stdout.flush(); broken != nil {
		fmt.Fprintf(p.stderr, "coldframe: the log could not be written to its end: %v\n", broken)
	} else if lost > 0 {
		lines := exchange.Count(lost, "line")
		fmt.Fprintf(p.stderr, "coldframe: dropped %s at the end of the log: nobody read it in time\n", lines)
	}
	return cmp.Or(err, failed)
}

const (
	mostOperations = 20 // listed at start
	mostFindings   = 3  // listed before the operations
	mostReplayed   = 10 // entries of recordings that are listed for one reason
)

// An announcer returns the text that says what a server serves and how to try it, including the lines on the control
// API. document is the name as given, "" for the built-in one.
type announcer func(server *mock.Server, control, document string) string

// announcing returns an announcer. source says where a document without a name is from.
func announcing(source string) announcer {
	return func(server *mock.Server, control, document string) string {
		return announcement(server, control, document, source)
	}
}

func announcement(server *mock.Server, control, document, source string) string {
	info, url := server.Info(), server.URL()
	var b strings.Builder
	for i, f := range info.Findings {
		if i == mostFindings {
			fmt.Fprintf(&b, "%d more", len(info.Findings)-mostFindings)
			if document != "" && document != standardInput {
				b.WriteString(": coldframe lint " + visible.Line(document))
			}
			b.WriteByte('\n')
			break
		}
		b.WriteString(visible.Line(fmt.Sprintf("%s: %s", f.Severity, f)) + "\n")
	}
	fmt.Fprintf(&b, "%s %s (%s)\n", visible.Line(cmp.Or(info.Title, "API without a title")), visible.Line(info.Version),
		visible.Line(cmp.Or(document, source)))
	base := "base URL:"
	if len(info.BasePaths) > 1 {
		base = "base URLs:"
	}
	for i, path := range info.BasePaths {
		if i > 0 {
			base += ","
		}
		base += " " + url + visible.Line(path)
	}
	b.WriteString(base + "\n" + control)
	for i, o := range info.Operations {
		if i == mostOperations {
			fmt.Fprintf(&b, "  … and %s\n", exchange.Count(len(info.Operations)-mostOperations, "more operation"))
			break
		}
		fmt.Fprintf(&b, "  %-7s %s%s\n", visible.Line(o.Method), url, visible.Line(o.Path))
	}
	if len(info.Operations) == 0 {
		fmt.Fprintf(&b, "  %s: the document has no operations; every path gets 404\n", url)
	}
	if len(info.Scenarios) > 0 {
		fmt.Fprintf(&b, "scenarios: %s\n", visible.Line(strings.Join(info.Scenarios, ", ")))
	}
	b.WriteString(replaying(info.Replayed))
	if len(info.Operations) > 0 {
		b.WriteString("try: " + info.Operations[0].Curl(url) + "\n")
	}
	return b.String()
}

// replaying returns the lines on recorded exchanges; "" if there are none.
func replaying(info mock.ReplayInfo) string {
	if info.Exchanges == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("replaying: " + exchange.Count(info.Exchanges, "exchange") + "\n")
	listed := func(lines []string, title string) {
		for i, line := range lines {
			if i == mostReplayed {
				fmt.Fprintf(&b, "  … and %d more\n", len(lines)-i)
				break
			} else if i == 0 {
				b.WriteString("  " + title + ":\n")
			}
			b.WriteString("  " + visible.Line(line) + "\n")
		}
	}
	stale := make([]string, len(info.Stale))
	for i, f := range info.Stale {
		stale[i] = f.String()
	}
	listed(stale, "answered as recorded, though the document says otherwise")
	listed(info.Left, "not replayed")
	return b.String()
}
