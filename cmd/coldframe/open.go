package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/coldframe/coldframe/internal/nearest"
	"github.com/coldframe/coldframe/mock"
)

func (p *program) openCommand() *cobra.Command {
	var o mock.Options
	command := &cobra.Command{
		Use:   "open FILE [DOCUMENT]",
		Short: "Serve a mock that continues an exported session",
		Long: "Serve a mock that continues the session in FILE, \"-\" for standard input. The control\n" +
			"API of another mock has written it, on this machine or another:\n\n" +
			"  curl http://localhost:4010/__coldframe/sessions/default/file > session.json\n\n" +
			"Requests get the same responses as there. FILE has the document, the options that\n" +
			"decide responses, the time, the items, the scenarios and the logins. DOCUMENT replaces\n" +
			"its document; the mock reports if they differ.",
		Args: takes(1, 2, "a session file, and one document at most"),
		RunE: func(command *cobra.Command, args []string) (err error) {
			p.serves = true
			ctx := command.Context()
			if o.Session, err = p.sessionFile(ctx, args[0], o); err != nil {
				return err
			}
			if len(args) > 1 {
				o.Document, o.Text, err = p.document(ctx, args[1], o.Load.MaxDocument, o.Load.Timeout)
				if err != nil {
					return err
				}
			}
			err = p.serve(ctx, o, announcing(args[0]), nil)
			if option, ok := errors.AsType[*mock.OptionError](err); ok && option.Option == "Session" {
				return fmt.Errorf("%q cannot be opened: %s", args[0], option.Reason)
			}
			return err
		},
	}
	f := command.Flags()
	f.SortFlags = false
	all := pflag.NewFlagSet("", pflag.ContinueOnError)
	mockFlags(all, &o, new(covering), new(string))
	for _, name := range []string{
		"host", "allowed-host", "port", "memory", "callbacks", "log", "journal", "control-port", "control-token",
		"allow-external-refs", "refs-root", "load-timeout", "max-document",
	} {
		f.AddFlag(all.Lookup(name))
	}
	return command
}

// sessionFile reads a session file of at most the size of all memory.
func (p *program) sessionFile(ctx context.Context, name string, o mock.Options) ([]byte, error) {
	most := int(cmp.Or(o.Limits.Memory, defaultMemory))
	if name == "-" {
		return readOnce(ctx, "standard input", "memory", most, o.Load.Timeout, func() (io.ReadCloser, error) {
			return io.NopCloser(p.stdin), nil
		})
	}
	open := func() (io.ReadCloser, error) { return os.Open(name) }
	text, err := readOnce(ctx, name, "memory", most, o.Load.Timeout, open)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("there is no file %q%s", name, nearest.File(name))
	}
	return text, err
}
