package main

import (
	"context"
	"errors"
	"log/slog"
	"net/http"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/coldframe/coldframe/cmd/coldframe/internal/mcp"
	"github.com/coldframe/coldframe/contracts"
	"github.com/coldframe/coldframe/internal/config"
	"github.com/coldframe/coldframe/mock"
)

func (p *program) mcpCommand() *cobra.Command {
	o := mcp.Options{Test: contracts.Options{
		Credentials: contracts.Credentials{APIKeys: map[string]string{}, Headers: http.Header{}},
	}}
	var load mock.LoadOptions
	command := &cobra.Command{
		Use:   "mcp",
		Short: "Serve tools to coding agents by the Model Context Protocol",
		Long: "Serve tools to coding agents by the Model Context Protocol (MCP), over standard input\n" +
			"and output: check and search documents, start mocks, call and fail operations, explain\n" +
			"refused requests, test backends.\n\n" +
			"Tools read documents of the current directory, and of other directories with\n" +
			"--allow-outside. They contact this machine only, and hosts of --allow-host. Without\n" +
			"--allow-edit they change no file. Mocks stop when the client disconnects.",
		Example: "  claude mcp add coldframe -- coldframe mcp",
		Args:    takes(0, 0, "no arguments"),
		RunE: func(command *cobra.Command, _ []string) error {
			p.orderly.Store(true)
			o.Version = versionText()
			o.Log = slog.New(slog.NewTextHandler(p.stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
			o.Open = func(ctx context.Context, location string) (mcp.Input, error) {
				return p.opened(ctx, command.Root(), location, load)
			}
			if err := mcp.Run(command.Context(), o, p.stdin, p.stdout); command.Context().Err() == nil {
				return err
			}
			return nil
		},
	}
	f := command.Flags()
	f.SortFlags = false
	f.BoolVar(&o.AllowEdit, "allow-edit", false, "let tools write coldframe.yaml")
	f.BoolVar(&o.AllowOutside, "allow-outside", false, "let tools read documents outside of the current directory")
	f.StringArrayVar(&o.AllowedHosts, "allow-host", nil,
		"`NAME` of a host that documents may come from and that contract tests may go to; may be given several times")
	credentialFlags(f, &o.Test.Credentials)
	documentFlags(f, &load.AllowExternalRefs, &load.RefsRoot, &load.IgnoreUnreadableRefs, &load.Timeout, &load.MaxDocument)
	return command
}

// opened returns what "coldframe mock" and "coldframe test" would use for a document.
func (p *program) opened(
	ctx context.Context, root *cobra.Command, location string, load mock.LoadOptions,
) (in mcp.Input, err error) {
	if location == "-" {
		return in, errors.New("standard input has the messages of the protocol; name a file")
	}
	name, text, err := p.givenDocument(ctx, location, load.MaxDocument, load.Timeout)
	if err != nil {
		return in, err
	}
	settings := program{twins: map[string]string{}}
	if settings.beside, err = findSettings(name, root); err != nil {
		return in, err
	}
	flags := pflag.NewFlagSet("mcp", pflag.ContinueOnError)
	mockFlags(flags, &in.Mock, new(covering), new(string))
	if err := settings.apply(settings.beside, flags, ""); err != nil {
		return in, err
	}
	in.Mock.Document, in.Mock.Text, in.Mock.Load = name, text, load
	in.Mock.State.Resources = mock.ResourceOverrides(settings.corrections())
	in.Mock.Values.Overrides = mock.ValueOverrides(settings.valueOverrides())
	in.Settings = config.Beside(name)
	if settings.beside.HasRules {
		in.Rules, err = contracts.LoadRules(settings.beside.Path)
	}
	return in, err
}

// toolsOf returns the tools of a mock, for its control API.
func toolsOf(o mock.Options) map[string]func(*mock.Server) http.Handler {
	return map[string]func(*mock.Server) http.Handler{"mcp": func(s *mock.Server) http.Handler {
		open := func(context.Context, string) (mcp.Input, error) {
			in := o
			if in.Document == "" && in.Text == nil { // built in, or of a session file
				in.Document, in.Files = s.Files()
			}
			return mcp.Input{Mock: in}, nil
		}
		return mcp.Handler(mcp.Options{Version: versionText(), Open: open}, s)
	}}
}
