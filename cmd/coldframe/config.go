package main

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/coldframe/coldframe/internal/config"
	"github.com/coldframe/coldframe/internal/exchange"
)

// readsConfig marks commands that look for coldframe.yaml beside their document;
// those that serve one do so without the mark.
const readsConfig = "coldframe.yaml"

// fromFile sets the flags that neither the command line nor the environment
// gave from coldframe.yaml.
func (p *program) fromFile(command *cobra.Command, args []string) error {
	serves := command.Flags().Lookup("scenario") != nil
	if !serves && command.Annotations[readsConfig] == "" || len(args) > 0 && isMistyped(args[0]) {
		return nil
	}
	document := defaultDocument
	if len(args) > 0 {
		document = args[0]
	}
	f, findings, err := config.Find(document, settingNames(command.Root()))
	if err != nil {
		return err
	}
	if len(findings) > 0 {
		return errors.New("the settings cannot be used:\n" + lines(findings))
	}
	p.beside = f
	for _, setting := range f.Settings {
		flag := command.Flags().Lookup(setting.Name)
		if flag == nil || flag.Changed {
			continue
		}
		p.twins[setting.Name] = setting.Place.String() + ": " + setting.Name
		name, _ := pflag.UnquoteUsage(flag)
		for _, value := range setting.Values {
			if strings.Contains(name, "FILE") {
				value = f.Resolve(value)
			}
			if err := command.Flags().Set(setting.Name, value); err != nil {
				return err
			}
		}
	}
	return nil
}

// settingNames are the flags that coldframe.yaml may set: those of serving.
func settingNames(root *cobra.Command) []string {
	var names []string
	root.Flags().VisitAll(func(f *pflag.Flag) {
		if f.Name != "help" && f.Name != "version" {
			names = append(names, f.Name)
		}
	})
	return names
}

func lines(findings []exchange.Finding) string {
	all := make([]string, len(findings))
	for i, f := range findings {
		all[i] = f.String()
	}
	return strings.Join(all, "\n")
}
