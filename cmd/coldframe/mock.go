package main

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/coldframe/coldframe/mock"
)

const (
	defaultPort     = 4010
	defaultDocument = "openapi.yaml"
	standardInput   = "<stdin>" // names the document that comes from there
)

func (p *program) mockCommand(use string) *cobra.Command {
	o := mock.Options{CORS: "on", Validate: "strict", Auth: "on", Examples: "valid", Fill: "all", Log: "text",
		Undeclared: "accept", Control: "on", UnknownItems: "generate"}
	o.MaxBody, o.MaxState, o.Journal = 10<<20, 256<<20, 1000
	tls := ""
	cover := covering{}
	command := &cobra.Command{
		Use:        use,
		Short:      "Serve a mock of the document",
		SuggestFor: []string{"serve", "server", "start", "run"},
		Long: "Serve a mock of the OpenAPI document FILE: a file, an http(s) URL or \"-\" for\n" +
			"standard input. Without FILE it serves ./openapi.yaml, or the Plant Store that is\n" +
			"built in where there is none.\n\n" +
			"Every flag has a twin in the environment: --max-body is COLDFRAME_MAX_BODY. A\n" +
			"flag that is given wins over its twin.",
		Args: takes(0, 1, "one document at most"),
		RunE: func(command *cobra.Command, args []string) error {
			o.SelfSigned = tls != ""
			if err := p.document(command.Context(), &o, args); err != nil {
				return err
			}
			o.Resources = p.corrections()
			return p.serve(command.Context(), o, cover)
		},
	}
	f := command.Flags()
	f.SortFlags = false
	f.StringVar(&o.Host, "host", "127.0.0.1", "`address` to listen on; 0.0.0.0 for all")
	f.IntVarP(&o.Port, "port", "p", defaultPort, "port to listen on; 0 for any that is free")
	f.Uint64Var(&o.Seed, "seed", 0, "`number` that decides the generated values")
	f.BoolVarP(&o.Dynamic, "dynamic", "d", false, "make fresh values for every answer, and serve no examples")
	f.StringArrayVar(&o.Scenarios, "scenario", nil, "scenario `FILE` or directory; may be given several times")
	f.StringArrayVar(&o.Data, "data", nil,
		"`FILE` or directory of items that each session begins with; may be given several times")
	f.Var(choice(&o.UnknownItems, "generate", "refuse"), "unknown-items",
		"generate items that nobody created, or answer 404")
	f.BoolVar(&o.Stateless, "stateless", false,
		"answer each request by itself: created items are kept for the control API alone")
	f.IntVar(&o.SeedItems, "seed-items", 0, "`number` of generated items that each collection begins with")
	f.IntVar(&o.MaxItems, "max-items", 100_000, "`number` of items that a session keeps; the oldest go first")
	f.Var(size(&o.MaxState), "max-state", "size of the items that a session keeps; the oldest go first")
	f.Var(choice(&o.CORS, "on", "off"), "cors", "let pages of other origins read the answers")
	f.StringVar(&o.Callbacks, "callbacks", "off",
		"where callbacks and webhooks may go: off, loopback or `HOST[:PORT],...`")
	f.Var(delay(&o.Delay), "delay", "time before every answer: 250ms, or a number of milliseconds")
	f.Var(size(&o.MaxBody), "max-body", "largest size of a request's body")
	f.Var(choice(&o.Validate, "strict", "warn", "off"), "validate",
		"refuse invalid requests, only report them, or do not look")
	f.Var(choice(&o.Undeclared, "accept", "refuse"), "undeclared", "query parameters that the document does not know")
	f.Var(choice(&o.Auth, "on", "off"), "auth", "check credentials")
	f.Var(choice(&o.Examples, "valid", "as-is", "off"), "examples",
		"serve the document's examples: those that fit their schema, all, none")
	f.Var(choice(&o.Fill, "all", "required"), "fill", "properties that generated values have")
	f.Var(choice(&o.Log, "text", "json", "off"), "log", "log of the requests")
	f.Var(journalEntries(&o.Journal), "journal", "exchanges that the control API can be asked about")
	f.StringArrayVar(&cover.files, "coverage", nil,
		"at the end, write what of the document was used to `FILE`: .json, .info, .lcov, .txt, "+
			"or - for standard output; may be given several times")
	f.Var(percent(&cover.least), "min-coverage", "end with 1 where less of the document was used")
	f.Var(choice(&o.Control, "on", "off"), "control", "the control API below /__coldframe/; off leaves its health")
	f.Var(controlPort(&o.ControlPort), "control-port",
		"port of the control API, which is then not on the mock's, but for its health")
	f.StringVar(&o.ControlToken, "control-token", "",
		"`TOKEN` that clients of the control API must send as a bearer token")
	f.StringVar(&o.TLSCert, "tls-cert", "", "`FILE` of a certificate, to serve https")
	f.StringVar(&o.TLSKey, "tls-key", "", "`FILE` of the certificate's key")
	f.Var(choice(&tls, "self-signed"), "tls", "serve https with a certificate made at start")
	f.BoolVar(&o.Watch, "watch", false, "reload when a file of the document, a scenario or the data changes")
	f.BoolVar(&o.AllowExternalRefs, "allow-external-refs", false, "let $refs leave the document's directory")
	return command
}

// document says where the document comes from.
func (p *program) document(ctx context.Context, o *mock.Options, args []string) (err error) {
	switch {
	case len(args) == 0:
		if _, err := os.Stat(defaultDocument); !errors.Is(err, fs.ErrNotExist) {
			o.Document = defaultDocument
		}
	case args[0] == "-":
		o.Document = standardInput
		o.Text, err = p.readStdin(ctx)
	default:
		o.Document = args[0]
	}
	if o.Watch && (o.Document == "" || o.Text != nil) && len(o.Scenarios) == 0 && len(o.Data) == 0 {
		return &mock.OptionError{Option: "watch", Reason: "there is no file to watch; name a document, a scenario or data"}
	}
	return err
}

// maxStdin is the most bytes of a document that are read from standard input.
const maxStdin = 64 << 20

// readStdin reads a document, until the context is done.
func (p *program) readStdin(ctx context.Context) ([]byte, error) {
	type result struct {
		text []byte
		err  error
	}
	done := make(chan result, 1)
	go func() {
		text, err := io.ReadAll(io.LimitReader(p.stdin, maxStdin+1))
		done <- result{text, err}
	}()
	select {
	case <-ctx.Done():
		return nil, errors.New("interrupted while reading the document from standard input")
	case r := <-done:
		switch {
		case r.err != nil:
			return nil, errors.New("cannot read standard input: " + r.err.Error())
		case len(r.text) > maxStdin:
			return nil, errors.New("the document on standard input is larger than 64 MiB")
		case r.text == nil:
			r.text = []byte{}
		}
		return r.text, nil
	}
}

func (p *program) serve(ctx context.Context, o mock.Options, cover covering) error {
	if err := cover.check(); err != nil {
		return err
	}
	collectForLoading()
	o.LogTo, o.Colour = p.stdout, isTerminal(p.stdout)
	server, err := mock.New(ctx, o)
	if err != nil {
		return err
	}
	defer runtime.KeepAlive(collectForServing())
	banner := p.stdout
	if o.Log == "json" {
		banner = p.stderr // standard output is for programs
	}
	io.WriteString(banner, announcement(server.Info(), server.URL(), o.Document)+controlLine(server))
	err = server.Run(ctx)
	if failed := cover.write(p, server.Coverage()); err == nil {
		err = failed
	}
	return err
}
