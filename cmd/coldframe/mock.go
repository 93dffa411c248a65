package main

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/coldframe/coldframe/mock"
)

const defaultPort = 4010

// maxStdin is the most bytes of a document that is read from standard input.
const maxStdin = 64 << 20

func (p *program) mockCommand(use string) *cobra.Command {
	o := mock.Options{}
	var delay, maxBody, tls string
	command := &cobra.Command{
		Use:   use,
		Short: "Serve a mock of the document",
		Long: "Serve a mock of the OpenAPI document FILE: a file, an http(s) URL or \"-\" for\n" +
			"standard input. Without FILE it serves ./openapi.yaml, or the Plant Store that is\n" +
			"built in where there is none.\n\n" +
			"Every flag has a twin in the environment: --max-body is COLDFRAME_MAX_BODY.",
		Args: cobra.MaximumNArgs(1),
		RunE: func(command *cobra.Command, args []string) error {
			if err := p.document(&o, args); err != nil {
				return err
			}
			var err error
			if o.Delay, err = parseDelay(delay); err != nil {
				return &mock.OptionError{Option: "delay", Reason: err.Error()}
			}
			if o.MaxBody, err = parseSize(maxBody); err != nil {
				return &mock.OptionError{Option: "max-body", Reason: err.Error()}
			}
			switch tls {
			case "":
			case "self-signed":
				o.SelfSigned = true
			default:
				return &mock.OptionError{Option: "tls", Reason: fmt.Sprintf("%q is not known; the only value is self-signed", tls)}
			}
			return p.serve(command, o)
		},
	}
	f := command.Flags()
	f.SortFlags = false
	f.StringVar(&o.Host, "host", "127.0.0.1", "`address` to listen on; 0.0.0.0 for all")
	f.IntVarP(&o.Port, "port", "p", defaultPort, "port to listen on; 0 for any that is free")
	f.Uint64Var(&o.Seed, "seed", 0, "`number` that decides the generated values")
	f.BoolVarP(&o.Dynamic, "dynamic", "d", false, "make fresh values for every answer, and serve no examples")
	f.StringArrayVar(&o.Scenarios, "scenario", nil, "scenario `FILE` or directory; may be given several times")
	f.StringVar(&o.CORS, "cors", "on", "let pages of other origins read the answers: `on|off`")
	f.StringVar(&delay, "delay", "0", "`time` before every answer: 250ms, or a number of milliseconds")
	f.StringVar(&maxBody, "max-body", "10MiB", "largest `size` of a request's body")
	f.StringVar(&o.Validate, "validate", "strict", "what becomes of invalid requests: `strict|warn|off`")
	f.StringVar(&o.Auth, "auth", "on", "check credentials: `on|off`")
	f.StringVar(&o.Examples, "examples", "valid", "serve the document's examples: `valid|as-is|off`")
	f.StringVar(&o.Fill, "fill", "all", "optional properties of generated values: `all|required`")
	f.StringVar(&o.Log, "log", "text", "log of the requests: `text|json|off`")
	f.StringVar(&o.TLSCert, "tls-cert", "", "`FILE` of a certificate, to serve https")
	f.StringVar(&o.TLSKey, "tls-key", "", "`FILE` of the certificate's key")
	f.StringVar(&tls, "tls", "", "`self-signed`: serve https with a certificate made at start")
	f.BoolVar(&o.Watch, "watch", false, "reload when a file of the document or a scenario changes")
	f.BoolVar(&o.AllowExternalRefs, "allow-external-refs", false, "let $refs leave the document's directory")
	return command
}

// document says where the document comes from.
func (p *program) document(o *mock.Options, args []string) error {
	switch {
	case len(args) == 0:
		if _, err := os.Stat("openapi.yaml"); err == nil {
			o.Document = "openapi.yaml"
		}
	case args[0] == "-":
		text, err := io.ReadAll(io.LimitReader(p.stdin, maxStdin))
		if err != nil {
			return fmt.Errorf("cannot read standard input: %w", err)
		}
		o.Document, o.Text = "<stdin>", text
	default:
		o.Document = args[0]
	}
	return nil
}

func (p *program) serve(command *cobra.Command, o mock.Options) error {
	o.LogTo, o.Colour = p.stdout, isTerminal(p.stdout)
	server, err := mock.New(command.Context(), o)
	if err != nil {
		return err
	}
	p.announce(server)
	return server.Run(command.Context())
}

// mostShown is how many operations and findings are listed at start.
const mostShown = 20

// announce prints what is served and a line to try it.
func (p *program) announce(server *mock.Server) {
	info := server.Info()
	url := server.URL()
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s (%s)\n", info.Title, info.Version, info.File)
	for i, o := range info.Operations {
		if i == mostShown {
			fmt.Fprintf(&b, "  … and %d more operations\n", len(info.Operations)-mostShown)
			break
		}
		fmt.Fprintf(&b, "  %-7s %s%s\n", o.Method, url, o.Path)
	}
	if len(info.Operations) == 0 {
		b.WriteString("  the document has no operations: every path is answered with 404\n")
	}
	if len(info.Scenarios) > 0 {
		fmt.Fprintf(&b, "scenarios: %s\n", strings.Join(info.Scenarios, ", "))
	}
	for i, f := range info.Findings {
		if i == mostShown {
			fmt.Fprintf(&b, "… and %d more findings; see all with: coldframe lint %s\n", len(info.Findings)-mostShown, info.File)
			break
		}
		fmt.Fprintf(&b, "%s: %s\n", f.Severity, f)
	}
	if len(info.Operations) > 0 {
		fmt.Fprintf(&b, "try: %s\n", info.Operations[0].Curl(url))
	}
	io.WriteString(p.stdout, b.String())
}

// parseDelay reads 250ms, 1.5s or a number of milliseconds.
func parseDelay(text string) (time.Duration, error) {
	if n, err := strconv.Atoi(text); err == nil {
		return time.Duration(n) * time.Millisecond, nil
	}
	d, err := time.ParseDuration(text)
	if err != nil {
		return 0, fmt.Errorf("%q is no time such as 250ms or 2s", text)
	}
	return d, nil
}

// parseSize reads a number of bytes, with a unit such as KiB, MiB, KB or MB.
func parseSize(text string) (int, error) {
	units := []struct {
		suffix string
		factor int
	}{{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"KB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"B", 1}, {"", 1}}
	for _, unit := range units {
		if number, ok := strings.CutSuffix(text, unit.suffix); ok {
			n, err := strconv.Atoi(strings.TrimSpace(number))
			if err != nil || n < 1 || n > 1<<31-1 || n*unit.factor > 1<<31-1 {
				break
			}
			return n * unit.factor, nil
		}
	}
	return 0, fmt.Errorf("%q is no size such as 512KiB or 10MiB, up to 2GiB", text)
}

// explain adds a hint to errors that have an obvious remedy.
func explain(err error) string {
	var op *net.OpError
	if errors.As(err, &op) && op.Op == "listen" {
		switch {
		case errors.Is(err, syscall.EADDRINUSE):
			return fmt.Sprintf("the address %s is in use; choose another port with --port, or 0 for any that is free", op.Addr)
		case errors.Is(err, syscall.EACCES):
			return fmt.Sprintf("no permission to listen on %s; choose a port above 1023 with --port", op.Addr)
		}
	}
	return err.Error()
}
