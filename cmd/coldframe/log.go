package main

import (
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/spf13/cobra"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/mock/client"
)

func (p *program) logCommand() *cobra.Command {
	var f client.Filter
	var o client.Options
	var session string
	var follow, insecure bool
	command := &cobra.Command{
		Use:   "log [URL]",
		Short: "Print the exchanges of a running mock",
		Long: "Print the last exchanges of the mock at URL, a line each and one for each finding, in\n" +
			"the format of the mock's log. With --follow, print further ones until the mock stops.\n" +
			"URL is that of the control API, and defaults to this machine, with the host and port\n" +
			"in COLDFRAME_HOST and COLDFRAME_PORT.",
		Args: takes(0, 1, "one URL at most"),
		RunE: func(command *cobra.Command, args []string) error {
			p.orderly.Store(true)
			if insecure {
				o.HTTP = &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}}
			}
			c := client.New(runningURL(args), o)
			if command.Flags().Changed("session") {
				c = c.In(session)
			}
			p.stdout.Private = true
			ctx, last := command.Context(), uint64(0)
			kept, err := c.Requests(ctx, f)
			for _, e := range kept.Requests {
				io.WriteString(p.stdout, logLine(&e, p.stdout.Colours))
				last = e.Number
			}
			if follow && err == nil {
				err = c.Follow(ctx, f, last, func(e client.Exchange, lost int) {
					if lost > 0 {
						fmt.Fprintf(p.stderr, "coldframe: %s lost, because this output is slow\n",
							exchange.Count(lost, "exchange"))
					}
					io.WriteString(p.stdout, logLine(&e, p.stdout.Colours))
				})
			}
			if ctx.Err() != nil {
				return nil
			}
			if problem, ok := errors.AsType[*client.Problem](err); ok && len(problem.Errors) > 0 {
				return errors.New(problem.Errors[0].Detail)
			}
			return err
		},
	}
	flags := command.Flags()
	flags.SortFlags = false
	flags.BoolVarP(&follow, "follow", "f", false, "print further exchanges as they happen")
	flags.StringVar(&session, "session", "",
		"print only exchanges of the session `NAME`; \"\" means requests without a session")
	flags.StringVar(&f.Operation, "operation", "",
		"print only exchanges of the `OPERATION`: operationId or \"METHOD path\"")
	flags.StringVar(&f.Status, "status", "", "print only exchanges with the `STATUS`: 404 or 4XX")
	flags.StringVar(&f.Finding, "finding", "", "print only exchanges with a finding of this `CODE`")
	flags.IntVar(&f.Limit, "limit", 100, "`number` of past exchanges to print")
	flags.StringVar(&o.Token, "control-token", "", "bearer `TOKEN` of the control API")
	flags.BoolVar(&insecure, "insecure", false, "accept any certificate")
	return command
}

// logLine returns an exchange as in the mock's log.
func logLine(e *client.Exchange, colours bool) string {
	l := exchange.LogLine{
		Time: e.Time.Local(), Method: e.Request.Method, Target: e.Request.Path, Status: e.Response.Status,
		Took: time.Duration(e.Microseconds) * time.Microsecond, Session: e.Session, Mocked: e.Mocked, Merged: e.Merged,
		Replayed: e.Replayed, Delay: time.Duration(e.Delay) * time.Millisecond, Fault: e.Fault,
	}
	if e.Request.Query != "" {
		l.Target += "?" + e.Request.Query
	}
	if e.Rule != nil {
		l.Scenario, l.Rule = e.Rule.Scenario, e.Rule.Number
	}
	for _, f := range e.Findings {
		l.Findings = append(l.Findings, exchange.Finding{
			Message: f.Message, In: f.In, Name: f.Name, Pointer: f.Pointer, Document: exchange.Place(f.Document),
		})
	}
	return l.Text(colours)
}
