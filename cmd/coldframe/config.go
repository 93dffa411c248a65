package main

import (
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/coldframe/coldframe/internal/config"
	"github.com/coldframe/coldframe/internal/exchange"
)

// readsConfig marks commands that look for coldframe.yaml beside their document,
// with the name of their section in it, "" for none; those that serve one do so
// without the mark.
const readsConfig = "coldframe.yaml"

// ofDocument are the settings outside of sections that say how the document is
// read: they hold for all commands.
var ofDocument = []string{"allow-external-refs"}

// notInFile are flags that coldframe.yaml cannot set. It may stand beside
// anybody's document, and a command would be run by whoever tests that.
var notInFile = []string{"auth-command", "list", "help"}

// fromFile sets the flags that neither the command line nor the environment
// gave from coldframe.yaml.
func (p *program) fromFile(command *cobra.Command, args []string) error {
	serves := command.Flags().Lookup("scenario") != nil
	section, reads := command.Annotations[readsConfig]
	if !serves && !reads || len(args) > 0 && isMistyped(args[0]) {
		return nil
	}
	document := defaultDocument
	switch {
	case section == "test" && len(args) == 2, section == "" && len(args) > 0:
		document = args[0]
	case section == "check" && len(args) == 2:
		document = args[1]
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
		of, name, inSection := strings.Cut(setting.Name, ".")
		if !inSection {
			of, name = "", of
		}
		if of != section && (of != "" || !slices.Contains(ofDocument, name)) {
			continue
		}
		if flag := command.Flags().Lookup(name); flag != nil && !flag.Changed {
			if err := p.apply(setting, f, flag, command.Flags()); err != nil {
				return err
			}
		}
	}
	return nil
}

// apply sets a flag from a setting. Files are named from the folder of coldframe.yaml.
func (p *program) apply(setting config.Setting, f *config.File, flag *pflag.Flag, flags *pflag.FlagSet) error {
	p.twins[flag.Name] = setting.Place.String() + ": " + flag.Name
	form, _ := pflag.UnquoteUsage(flag)
	for _, value := range setting.Values {
		if several, ok := flag.Value.(*outputs); ok {
			value = several.resolve(value, f.Resolve)
		} else if strings.Contains(form, "FILE") {
			value = f.Resolve(value)
		}
		if err := flags.Set(flag.Name, value); err != nil {
			return err
		}
	}
	return nil
}

// settingNames are the flags that coldframe.yaml may set: those of serving, and
// in sections those of the commands that have one.
func settingNames(root *cobra.Command) []string {
	var names []string
	root.Flags().VisitAll(func(f *pflag.Flag) {
		if f.Name != "help" && f.Name != "version" {
			names = append(names, f.Name)
		}
	})
	for _, command := range root.Commands() {
		section := command.Annotations[readsConfig]
		if section == "" {
			continue
		}
		command.Flags().VisitAll(func(f *pflag.Flag) {
			if !slices.Contains(notInFile, f.Name) {
				names = append(names, section+"."+f.Name)
			}
		})
	}
	return names
}

func lines(findings []exchange.Finding) string {
	all := make([]string, len(findings))
	for i, f := range findings {
		all[i] = f.String()
	}
	return strings.Join(all, "\n")
}
