package main

import (
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/coldframe/coldframe"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/mock"
)

const demoFolder = "examples/garden-shop" // of coldframe.GardenShop

func (p *program) demoCommand() *cobra.Command {
	var o mock.Options
	command := &cobra.Command{
		Use:   "demo",
		Short: "Serve the Garden Shop: an API with a page that uses it",
		Long: "Serve the Garden Shop, which is built in: an API with logins, a catalogue, a basket,\n" +
			"orders, uploads and exports, and at / a page that uses it. The page switches\n" +
			"scenarios on and off: slow, sold-out, paywall, outage. Callbacks and webhooks go to\n" +
			"this machine only.",
		Args: takes(0, 0, "no arguments"),
		RunE: func(command *cobra.Command, _ []string) error {
			if err := addDemo(&o); err != nil {
				return err
			}
			return p.serve(command.Context(), o, demoAnnouncement, nil)
		},
	}
	f := command.Flags()
	f.SortFlags = false
	all := pflag.NewFlagSet("", pflag.ContinueOnError)
	mockFlags(all, &o, new(covering), new(string))
	for _, name := range []string{"host", "allowed-host", "port", "seed", "callbacks", "delay", "log", "control-token"} {
		f.AddFlag(all.Lookup(name))
	}
	o.State.UnknownItems, o.Callbacks = "refuse", "loopback"
	f.Lookup("callbacks").DefValue = o.Callbacks
	return command
}

// addDemo adds the document of the demo, its data, its scenarios and its page.
func addDemo(o *mock.Options) (err error) {
	files, err := fs.Sub(coldframe.GardenShop, demoFolder)
	if err != nil {
		return err
	}
	o.Document = "garden-shop.yaml"
	if o.Text, err = fs.ReadFile(files, "openapi.yaml"); err != nil {
		return err
	}
	if o.State.DataTexts, err = textsOf(files, "data.yaml"); err != nil {
		return err
	}
	if o.ScenarioTexts, err = textsOf(files, "scenarios/*.yaml"); err != nil {
		return err
	}
	o.Pages, err = fs.Sub(files, "page")
	return err
}

func textsOf(files fs.FS, pattern string) (texts []mock.Text, err error) {
	names, err := fs.Glob(files, pattern)
	for _, name := range names {
		text, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, err
		}
		texts = append(texts, mock.Text{Name: path.Base(name), Text: text})
	}
	return texts, err
}

func demoAnnouncement(server *mock.Server, control, _ string) string {
	info, url := server.Info(), server.URL()
	page := url + "/"
	if token := server.ControlToken(); token != "" {
		page += "#token=" + token // the page sends it to the control API
	}
	api := url + info.BasePaths[0]
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s (built in: the demo)\n", info.Title, info.Version)
	fmt.Fprintf(&b, "open %s\n", page)
	operations := exchange.Count(len(info.Operations), "operation")
	fmt.Fprintf(&b, "API: %s, %s\n", api, operations)
	b.WriteString(control)
	fmt.Fprintf(&b, "scenarios: %s\n", strings.Join(info.Scenarios, ", "))
	fmt.Fprintf(&b, "try: curl '%s/products?q=fern'\n", api)
	fmt.Fprintf(&b, "     curl -H 'Prefer: scenario=outage' %s/products/1\n", api)
	fmt.Fprintf(&b, "     curl -d '{\"email\": \"ada@example.com\", \"password\": \"correct horse\"}' "+
		"-H 'Content-Type: application/json' %s/auth/token\n", api)
	b.WriteString("your own: coldframe openapi.yaml\n")
	return b.String()
}
