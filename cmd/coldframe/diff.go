package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"github.com/coldframe/coldframe/internal/diff"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/loading"
	formats "github.com/coldframe/coldframe/internal/report"
	"github.com/coldframe/coldframe/internal/revision"
	"github.com/coldframe/coldframe/internal/spec"
)

// comparison has the settings of coldframe diff.
type comparison struct {
	failOn, format string
	load           spec.Options
}

func (p *program) diffCommand() *cobra.Command {
	c := comparison{}
	command := &cobra.Command{
		Use:         "diff OLD NEW",
		Short:       "Print the changes between two versions of a document",
		Annotations: map[string]string{readsConfig: ""},
		Long: "Print the changes from one version of an OpenAPI document to another, with what each\n" +
			"means for clients: an error breaks them, a warning may break them, information does\n" +
			"not. The last line is the next semantic version.\n\n" +
			"OLD and NEW are files, folders that have a document, http(s) URLs, \"-\" for standard\n" +
			"input, or files of a Git revision: main:openapi.yaml, v1.2.0:api/openapi.yaml. A path\n" +
			"in a revision begins at the top of the repository, or with ./ at the current folder.\n\n" +
			"The exit code is 0 without changes of the severity of --fail-on, 1 with such changes,\n" +
			"2 if a document cannot be read.",
		Example: "  coldframe diff main:openapi.yaml openapi.yaml\n" +
			"  coldframe diff --format markdown v1.yaml v2.yaml >>$GITHUB_STEP_SUMMARY",
		Args: takes(2, 2, "two documents"),
		RunE: func(command *cobra.Command, args []string) error {
			return p.diff(command.Context(), &c, args[0], args[1])
		},
	}
	f := command.Flags()
	f.SortFlags = false
	f.Var(choice(&c.failOn, "error", "warning", "info", "none"), "fail-on", "least severity that leads to exit code 1")
	f.Var(choice(&c.format, diff.Formats()...), "format", "format of the output")
	documentFlags(f, &c.load.AllowExternal, &c.load.Root, &c.load.IgnoreUnreadable, &c.load.Timeout, &c.load.MaxBytes)
	return command
}

func (p *program) diff(ctx context.Context, c *comparison, oldName, newName string) error {
	if oldName == "-" && newName == "-" {
		return errors.New("standard input is either the old or the new document")
	}
	old, oldVersion, err := p.bundle(ctx, oldName, c.load)
	if err != nil {
		return err
	}
	new, newVersion, err := p.bundle(ctx, newName, c.load)
	if err != nil {
		return err
	}
	within, cancel := loading.WithTimeout(ctx, c.load.Timeout)
	defer cancel()
	r, err := diff.NewReport(within, old, new, oldVersion, newVersion)
	if ended, ok := errors.AsType[*loading.Ended](err); ok && ctx.Err() == nil {
		return fmt.Errorf("comparing the documents ended: %w", ended)
	}
	if err != nil {
		return err
	}
	current, _ := os.Getwd()
	to := p.stdout
	to.Commands = c.format == "github"
	if err := r.Write(to, c.format, formats.Options{Version: versionText(),
		Root: cmp.Or(os.Getenv("GITHUB_WORKSPACE"), os.Getenv("CI_PROJECT_DIR"), current)}); err != nil {
		return err
	}
	least, some := map[string]exchange.Severity{
		"error": exchange.Error, "warning": exchange.Warning, "info": exchange.Info}[c.failOn]
	if some && slices.ContainsFunc(r.Changes, func(c diff.Change) bool { return c.Severity <= least }) {
		return exitError(exitFindings)
	}
	return nil
}

// bundle reads a document: a file, or a file of a Git revision.
func (p *program) bundle(ctx context.Context, name string, o spec.Options) (*spec.Bundle, diff.Version, error) {
	version := diff.Version{Document: name}
	location := name
	var err error
	if commit, file, ok := revision.Cut(name); ok {
		files, inside, err := revision.Open(ctx, commit, file)
		if err != nil {
			return nil, version, err
		}
		o.Source, location, version.Prefix = files, inside, files.Prefix
	} else if location, o.Text, err = p.document(ctx, name, o.MaxBytes, o.Timeout); err != nil {
		return nil, version, err
	} else {
		version.Document = location
	}
	bundle, err := spec.LoadBundle(ctx, location, o)
	return bundle, version, err
}
