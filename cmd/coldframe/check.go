package main

import (
	"context"
	"errors"
	"io"

	"github.com/spf13/cobra"

	"github.com/coldframe/coldframe/contracts"
)

func (p *program) checkCommand() *cobra.Command {
	j, url := judging{}, ""
	command := &cobra.Command{
		Use:         "check RECORDING [DOCUMENT]",
		Short:       "Check recorded traffic against its document",
		Annotations: map[string]string{readsConfig: "check"},
		Long: "Check the requests and answers of RECORDING against the OpenAPI document\n" +
			"DOCUMENT: a file, an http(s) URL or \"-\" for standard input. Without DOCUMENT it is\n" +
			"./openapi.yaml, or the Plant Store that is built in where there is none.\n\n" +
			"RECORDING is a HAR file, as browsers and proxies save them, or the journal of a\n" +
			"mock, as GET /__coldframe/requests gives it; \"-\" reads it from standard input.\n\n" +
			"It ends with 0 where nothing is found, 1 where something is found, 2 where nothing could\n" +
			"be checked, 130 where it was interrupted before it found anything.",
		Example: "  coldframe check traffic.har openapi.yaml\n" +
			"  curl http://localhost:4010/__coldframe/requests | coldframe check - openapi.yaml",
		Args: takes(1, 2, "a recording and a document"),
		RunE: func(command *cobra.Command, args []string) error {
			return p.check(command.Context(), &j, url, append(args, "")[:2])
		},
	}
	f := command.Flags()
	f.SortFlags = false
	f.StringVar(&url, "url", "", "`URL` of the backend: other requests are skipped (default any)")
	j.checkFlags(f)
	j.outputFlags(f)
	return command
}

// check judges a recording and reports.
func (p *program) check(ctx context.Context, j *judging, url string, args []string) error {
	recording, document := args[0], args[1]
	if recording == "-" && document == "-" {
		return errors.New("standard input is either the recording or the document")
	}
	known, err := j.prepare(p)
	if err != nil {
		return err
	}
	o := contracts.CheckOptions{
		File: recording, URL: url, Checks: j.checks, Strict: j.strict, Operations: j.operations,
		MaxResponseTime: j.slowest, Baseline: known,
	}
	if o.Document, o.Text, err = p.testedDocument(ctx, document); err != nil {
		return err
	}
	o.AllowExternalRefs = j.external
	if recording == "-" {
		o.File, o.Traffic = standardInput, until(ctx, p.stdin)
	}
	report, err := contracts.Check(ctx, o)
	switch {
	case err != nil && ctx.Err() != nil:
		return exitError(exitInterrupted)
	case err != nil:
		return err
	}
	return j.finish(ctx, p, report)
}

// until reads from r until the context is done, also where r then waits for
// more.
func until(ctx context.Context, r io.Reader) io.Reader {
	reader, writer := io.Pipe()
	go func() {
		_, err := io.Copy(writer, r)
		writer.CloseWithError(err)
	}()
	context.AfterFunc(ctx, func() { writer.CloseWithError(context.Cause(ctx)) })
	return reader
}
