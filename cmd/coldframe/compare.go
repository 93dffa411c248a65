package main

import (
	"context"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"github.com/coldframe/coldframe/contracts"
	"github.com/coldframe/coldframe/internal/footprint"
)

// generatedRequests is the value of --from for requests that are made from the document.
const generatedRequests = "generated"

func (p *program) compareCommand() *cobra.Command {
	j, from, o := judging{}, generatedRequests, contracts.CompareOptions{}
	command := &cobra.Command{
		Use:         "compare A B [DOCUMENT]",
		Short:       "Compare the responses of two servers",
		Annotations: map[string]string{readsConfig: ""},
		Long: "Send the same requests to the servers at the URLs A and B, and report where their\n" +
			"responses differ in what the OpenAPI document DOCUMENT describes: status, media type,\n" +
			"header fields, properties. Errors break clients of A that are moved to B, warnings\n" +
			"are other data. What differs between two equal requests to A does not count.\n\n" +
			"DOCUMENT defaults to ./openapi.yaml (or .yml, .json, swagger.*), and to the built-in\n" +
			"Plant Store if there is none. The requests are made from the document, or --from takes\n" +
			"them from a recording: a HAR file, or the journal of a mock.\n\n" +
			"Only requests that change nothing are sent, unless --write is given. With it, only\n" +
			"what the comparison has created is changed or deleted, unless --destructive is given.\n\n" +
			"The exit code is 0 without findings, 1 with findings, 2 if nothing could be compared.",
		Example: "  coldframe compare https://api.example.com http://localhost:8080 openapi.yaml\n" +
			"  coldframe compare http://localhost:8080 http://localhost:8081 --from traffic.har --write",
		Args: takes(2, 3, "the URLs of two servers, and a document"),
		RunE: func(command *cobra.Command, args []string) error {
			return p.compare(command.Context(), o, &j, from, append(args, "")[:3])
		},
	}
	f := command.Flags()
	f.SortFlags = false
	o.Workers = 8
	f.StringVar(&from, "from", generatedRequests, "recording `FILE` with the requests to send, or generated")
	f.BoolVar(&o.Write, "write", false,
		"send also requests that change something; later ones use the keys that each server created")
	f.BoolVar(&o.Destructive, "destructive", false, "with --write, send also what may change what it did not create")
	credentialFlags(f, &o.Credentials)
	f.Var(repeated("PATTERN", func(pattern string) error {
		o.Operations = append(o.Operations, pattern)
		return nil
	}), "operation", "operations to compare: a path, METHOD path, METHOD, operationId or tag:NAME, * for any text; "+
		"!PATTERN excludes; may be given several times")
	f.Uint64Var(&o.Seed, "seed", 0, "`number` that selects the requests that are made")
	f.Var(bounded(positive, &o.Workers, ""), "workers", "concurrent requests, of those that change nothing")
	f.Var(timeout(&o.Timeout), "timeout", "longest time of one request (default 10s)")
	f.BoolVar(&o.Insecure, "insecure", false, "accept any certificate")
	j.findingFlags(f)
	documentFlags(f, &o.Load.AllowExternalRefs, &o.Load.RefsRoot, &o.Load.IgnoreUnreadableRefs, &o.Load.Timeout,
		&o.Load.MaxDocument)
	return command
}

func (p *program) compare(
	ctx context.Context, o contracts.CompareOptions, j *judging, from string, args []string,
) (err error) {
	o.A, o.B = args[0], args[1]
	for _, address := range []string{o.A, o.B} {
		if !strings.HasPrefix(address, "http://") && !strings.HasPrefix(address, "https://") {
			return errors.New("the first two arguments are URLs of servers: coldframe compare A B [DOCUMENT]")
		}
	}
	if from == "-" && args[2] == "-" {
		return errors.New("standard input is either the recording or the document")
	}
	if o.Baseline, err = j.prepare(p); err != nil {
		return err
	}
	switch from {
	case generatedRequests:
	case "-":
		o.File, o.Traffic = standardInput, p.stdin
	default:
		o.File = from
	}
	if o.Document, o.Text, err = p.givenDocument(ctx, args[2], o.Load.MaxDocument, o.Load.Timeout); err != nil {
		return err
	}
	footprint.Begin()
	p.orderly.Store(true)
	result, err := contracts.Compare(ctx, o)
	if err != nil {
		return err
	}
	return j.finish(ctx, p, result)
}
