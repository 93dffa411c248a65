package main

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/coldframe/coldframe/internal/config"
)

// twin names the environment's variable for a flag: COLDFRAME_MAX_BODY for --max-body.
func twin(flag string) string {
	return "COLDFRAME_" + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// environment reads a variable; an empty one counts as unset.
//
// Kubernetes tells the containers beside a service called coldframe its address as
// COLDFRAME_PORT=tcp://10.0.0.1:4010. That is nobody's wish for a port.
func environment(name string) (value string, ok bool) {
	value = os.Getenv(name)
	if name == twin("port") && strings.Contains(value, "://") {
		return "", false
	}
	return value, value != ""
}

// fromEnvironment sets the flags that were not given from their twins. A flag that may
// be given several times takes a list like that of PATH.
func (p *program) fromEnvironment(flags *pflag.FlagSet) error {
	var failed error
	flags.VisitAll(func(f *pflag.Flag) {
		text, ok := environment(twin(f.Name))
		if !ok || f.Changed || f.Name == "help" || f.Name == "version" {
			return
		}
		p.twins[f.Name] = twin(f.Name)
		values := []string{text}
		if _, several := f.Value.(pflag.SliceValue); several {
			values = filepath.SplitList(text)
		}
		for _, v := range values {
			if err := flags.Set(f.Name, v); err != nil && failed == nil {
				failed = err
			}
		}
	})
	return failed
}

// readsConfig marks commands that look for coldframe.yaml beside their document, with the name of their
// section in it, "" for none; those that serve one do so without the mark.
const readsConfig = "coldframe.yaml"

// ofDocument is the setting outside of sections that says how the document is read: it
// holds for all commands.
const ofDocument = "allow-external-refs"

// notInFile are flags that coldframe.yaml cannot set. It may stand beside anybody's
// document, and a command would be run by whoever tests that.
var notInFile = []string{"auth-command", "list", "help", "version"}

// fromFile sets the flags that neither the command line nor the environment gave from coldframe.yaml.
func (p *program) fromFile(command *cobra.Command, args []string) error {
	flags := command.Flags()
	section, reads := command.Annotations[readsConfig]
	if !reads && flags.Lookup("scenario") == nil || len(args) > 0 && isMistyped(args[0]) {
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
		text := "the settings cannot be used:"
		for _, finding := range findings {
			text += "\n" + finding.String()
		}
		return errors.New(text)
	}
	p.beside = f
	for _, setting := range f.Settings {
		of, name, inSection := strings.Cut(setting.Name, ".")
		if !inSection {
			of, name = "", of
		}
		flag := flags.Lookup(name)
		if of != section && (of != "" || name != ofDocument) || flag == nil || flag.Changed {
			continue
		}
		p.twins[name] = setting.Place.String() + ": " + name
		form, _ := pflag.UnquoteUsage(flag)
		for _, text := range setting.Values {
			switch { // files are named from the folder of coldframe.yaml
			case form == reportForm:
				text = resolveReports(text, f.Resolve)
			case strings.Contains(form, "FILE"):
				text = f.Resolve(text)
			}
			if err := flags.Set(name, text); err != nil {
				return err
			}
		}
	}
	return nil
}

// settingNames are the flags that coldframe.yaml may set: those of serving, and in
// sections those of the commands that have one.
func settingNames(root *cobra.Command) []string {
	var names []string
	add := func(prefix string, flags *pflag.FlagSet) {
		flags.VisitAll(func(f *pflag.Flag) {
			if !slices.Contains(notInFile, f.Name) {
				names = append(names, prefix+f.Name)
			}
		})
	}
	add("", root.Flags())
	for _, command := range root.Commands() {
		if section := command.Annotations[readsConfig]; section != "" {
			add(section+".", command.Flags())
		}
	}
	return names
}
