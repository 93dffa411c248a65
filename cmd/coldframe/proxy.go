package main

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/coldframe/coldframe/contracts"
	"github.com/coldframe/coldframe/internal/outfile"
	"github.com/coldframe/coldframe/internal/visible"
	"github.com/coldframe/coldframe/mock"
)

const defaultControlPort = 4011

// relay has the settings of `coldframe proxy`.
type relay struct {
	mock.Options
	judging
	check     contracts.CheckOptions
	authority string // file of certificates
	cert, key string // files of the client's certificate
	insecure  bool
	tls       string
	learn     string // file of proposals; "" for none
}

func (p *program) proxyCommand() *cobra.Command {
	t := &relay{}
	t.Proxy.Header = http.Header{}
	command := &cobra.Command{
		Use:         "proxy [DOCUMENT] UPSTREAM [-- COMMAND...]",
		Short:       "Forward requests to a backend and check the traffic",
		Annotations: map[string]string{readsConfig: "proxy"},
		Long: "Forward requests to the backend at the URL UPSTREAM, unchanged, and check requests\n" +
			"and responses against the OpenAPI document DOCUMENT: a file, a folder that has one,\n" +
			"an http(s) URL or \"-\" for standard input. It defaults to ./openapi.yaml (or .yml,\n" +
			".json, swagger.*), and to the built-in Plant Store if there is none.\n\n" +
			"An UPSTREAM without a path has the paths of the document's servers. A path, even\n" +
			"\"/\", replaces them.\n\n" +
			"With a COMMAND after --, such as an end-to-end suite, the proxy runs until the\n" +
			"command ends. COMMAND finds it by the environment variable COLDFRAME_URL.\n\n" +
			"When the proxy is stopped, it prints what it found, like \"coldframe test\". The exit\n" +
			"code is 0 without findings, 1 with findings or if COMMAND fails, 2 if the proxy could\n" +
			"not run.",
		Example: "  coldframe proxy openapi.yaml http://localhost:8080\n" +
			"  coldframe proxy openapi.yaml https://staging.example.com --enforce responses --record traffic.har\n" +
			"  coldframe proxy openapi.yaml http://localhost:8080 -- npm test",
		Args: p.withSuite(takes(1, 2, "a document and the URL of a backend")),
		RunE: func(command *cobra.Command, args []string) error {
			return p.proxy(command.Context(), t, args[:len(args)-len(p.suite)])
		},
	}
	f := command.Flags()
	f.SortFlags = false
	all := pflag.NewFlagSet("", pflag.ContinueOnError)
	mockFlags(all, &t.Options, new(covering), &t.tls)
	t.proxyFlags(f)
	checkFlags(f, &t.check.Checks, &t.check.Strict, &t.check.MaxResponseTime, &t.check.Operations)
	t.outputFlags(f)
	all.VisitAll(func(flag *pflag.Flag) {
		if f.Lookup(flag.Name) == nil && !slices.Contains(ofMocks, flag.Name) {
			f.AddFlag(flag)
		}
	})
	return command
}

// ofMocks are flags of mocks without a meaning for a proxy, whose coverage is in its report.
var ofMocks = []string{"coverage", "validate", "undeclared", "auth", "redirect-uri", "audience"}

func (t *relay) proxyFlags(f *pflag.FlagSet) {
	f.Var(patterns(&t.Proxy.Mock), "mock",
		"operations to mock instead: a path, METHOD path, METHOD, operationId or tag:NAME, * for any text; "+
			"may be given several times")
	f.Var(patterns(&t.Proxy.Forward), "forward",
		"operations to forward, also if --mock names them; without --mock all others are mocked")
	f.Var(names(&t.Proxy.Fallback, "FAILURE,...", append(mock.ProxyFallbacks(), "off")), "fallback",
		"failures of the upstream after which a request is mocked: 501, 404, unreachable, timeout, malformed or off "+
			"(default 501,unreachable)")
	f.Var(choice(&t.Proxy.OnUpstreamError, "fallback", "mock", "502"), "on-upstream-error",
		"after unreachable, timeout and malformed do as --fallback says, mock the request, or answer 502 or 504")
	f.Var(choice(&t.Proxy.Enforce, "off", "requests", "responses", "both"), "enforce",
		"refuse invalid requests with 400, and replace invalid responses by a 502, instead of only reporting them")
	f.StringVar(&t.Proxy.Record, "record", "", "`FILE` of a recording in HAR 1.2, or directory that gets a new one")
	f.StringVar(&t.learn, "learn", "",
		"compare the upstream with the mock, and write lines of coldframe.yaml that remove differences to `FILE`")
	f.StringVar(&t.Proxy.ConsumerHeader, "consumer-header", "",
		"header field `NAME` that tells consumers apart (default session, else User-Agent)")
	f.Var(pairs("NAME: VALUE", ":", t.Proxy.Header.Add), "upstream-header",
		"header field of every forwarded request, in place of the client's; may be given several times")
	f.StringVar(&t.authority, "upstream-ca", "", "`FILE` of the certificates that sign the upstream's")
	f.StringVar(&t.cert, "upstream-cert", "", "`FILE` of the certificate to present to the upstream")
	f.StringVar(&t.key, "upstream-key", "", "`FILE` of the certificate's key")
	f.Var(timeout(&t.Proxy.Timeout), "upstream-timeout",
		"longest time from a request's end to the head of its response (default 1m)")
	f.BoolVar(&t.insecure, "insecure", false, "accept any certificate of the upstream")
}

func (p *program) proxy(ctx context.Context, t *relay, args []string) (err error) {
	document, upstream := "", args[len(args)-1]
	if len(args) == 2 {
		document = args[0]
	}
	if err := isBackend("proxy", upstream, len(args)); err != nil {
		return err
	}
	o := &t.Options
	o.Listen.SelfSigned, p.serves = t.tls != "", true
	if o.Document, o.Text, err = p.givenDocument(ctx, document, o.Load.MaxDocument, o.Load.Timeout); err != nil {
		return err
	}
	if o.Watch && o.Text != nil {
		return &mock.OptionError{Option: "watch", Reason: "there is no file to watch; name a document"}
	}
	if t.check.Baseline, err = t.prepare(p); err != nil {
		return err
	}
	o.Proxy.Upstream = upstream
	o.State.Resources = mock.ResourceOverrides(p.corrections())
	o.Values.Overrides = mock.ValueOverrides(p.valueOverrides())
	if o.Proxy.TLS, err = t.upstreamTLS(); err != nil {
		return err
	}
	if o.Proxy.Learn = t.learn != ""; o.Proxy.Learn {
		if err := t.checkLearned(); err != nil {
			return &mock.OptionError{Option: "learn", Reason: err.Error()}
		}
	}
	if o.Control.Port == 0 && o.Listen.Port == defaultPort {
		o.Control.Port = defaultControlPort
	}
	t.check.Document, t.check.Text, t.check.URL = o.Document, o.Text, upstream
	t.check.Load = contracts.LoadOptions(o.Load)
	checker, err := contracts.NewTrafficChecker(ctx, t.check)
	if err != nil {
		return err
	}
	o.Proxy.Observe = checker.Add
	return p.serve(ctx, *o, proxyAnnouncement, func(server *mock.Server) error {
		return cmp.Or(t.writeLearned(p, server.Learned()), t.finish(context.WithoutCancel(ctx), p, checker.Report()))
	})
}

// learnedMark begins files of --learn.
const learnedMark = "# Proposed by coldframe proxy --learn.\n"

// learnedFiles returns the names of the files of --learn: learned.yaml and learned.overlay.yaml.
func (t *relay) learnedFiles() (settings, overlay string) {
	return t.learn, strings.TrimSuffix(t.learn, filepath.Ext(t.learn)) + ".overlay.yaml"
}

// checkLearned returns an error if the files cannot be written, or if they exist and are not older ones of --learn.
func (t *relay) checkLearned() error {
	settings, overlay := t.learnedFiles()
	for _, name := range []string{settings, overlay} {
		if err := checkFolder(name); err != nil {
			return fmt.Errorf("%q cannot be written: %w", name, err)
		}
		if text, err := os.ReadFile(name); err == nil && !strings.HasPrefix(string(text), learnedMark) {
			return fmt.Errorf("%q exists, and is not a file of --learn; choose another", name)
		}
	}
	return nil
}

// writeLearned prints how the mock differs from the upstream, and writes what is proposed.
func (t *relay) writeLearned(p *program, learned mock.Learned) error {
	if t.learn == "" {
		return nil
	}
	if _, err := io.WriteString(p.stdout, learned.Text); err != nil {
		return err
	}
	settings, overlay := t.learnedFiles()
	for _, f := range []struct{ name, what, text string }{
		{settings, "lines of coldframe.yaml", learned.Settings}, {overlay, "corrections of the document", learned.Overlay},
	} {
		if f.text == "" {
			continue
		}
		if err := outfile.Write(f.name, []byte(learnedMark+f.text)); err != nil {
			return err
		}
		fmt.Fprintf(p.stdout, "%s: %s\n", f.what, f.name)
	}
	return nil
}

// upstreamTLS returns the settings for an upstream with https; nil for the defaults.
func (t *relay) upstreamTLS() (*tls.Config, error) {
	if t.authority == "" && t.cert == "" && t.key == "" && !t.insecure {
		return nil, nil
	}
	config := &tls.Config{InsecureSkipVerify: t.insecure, MinVersion: tls.VersionTLS12}
	if t.authority != "" {
		text, err := os.ReadFile(t.authority)
		if err != nil {
			return nil, &mock.OptionError{Option: "upstream-ca", Reason: err.Error()}
		}
		config.RootCAs = x509.NewCertPool()
		if !config.RootCAs.AppendCertsFromPEM(text) {
			return nil, &mock.OptionError{Option: "upstream-ca", Reason: t.authority + " has no certificate in PEM"}
		}
	}
	switch {
	case (t.cert == "") != (t.key == ""):
		return nil, &mock.OptionError{Option: "upstream-cert", Reason: "a certificate and its key are given together"}
	case t.cert != "":
		certificate, err := tls.LoadX509KeyPair(t.cert, t.key)
		if err != nil {
			return nil, &mock.OptionError{Option: "upstream-cert", Reason: err.Error()}
		}
		config.Certificates = []tls.Certificate{certificate}
	}
	return config, nil
}

func proxyAnnouncement(server *mock.Server, control, document string) string {
	info := server.Info()
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s (%s)\n", visible.Line(cmp.Or(info.Title, "API without a title")), visible.Line(info.Version),
		visible.Line(document))
	fmt.Fprintf(&b, "proxy: %s -> %s\n", server.URL(), visible.Line(info.Upstream))
	if len(info.Mocked) > 0 {
		fmt.Fprintf(&b, "mocked: %s\n", visible.Line(strings.Join(info.Mocked, ", ")))
	}
	b.WriteString(control)
	return b.String()
}
