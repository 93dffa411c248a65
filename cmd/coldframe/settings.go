package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/coldframe/coldframe/internal/config"
	"github.com/coldframe/coldframe/internal/recording"
)

// twin returns the environment variable of a flag: COLDFRAME_MAX_BODY for --max-body.
func twin(flag string) string {
	return "COLDFRAME_" + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// environment reads a variable; an empty one counts as unset.
//
// Kubernetes sets COLDFRAME_PORT=tcp://10.0.0.1:4010 in containers beside a service called coldframe. Such a value is
// ignored.
func environment(name string) (value string, ok bool) {
	value = os.Getenv(name)
	if name == twin("port") && strings.Contains(value, "://") {
		return "", false
	}
	return value, value != ""
}

// fromEnvironment sets flags that were not given from their environment variables. For a flag that may be given
// several times the variable is a list like PATH.
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

// readsConfig marks commands that read coldframe.yaml beside their document. Its value is the name of their section,
// "" if none. Commands that serve a document read the file without the mark.
const readsConfig = "coldframe.yaml"

// notInFile are flags that coldframe.yaml cannot set, because it may come with somebody else's document: they widen
// who reaches the mock or what the mock reaches, send credentials elsewhere, or run a command. The file can lower
// limits: see bounded.
var notInFile = []struct{ flag, reason string }{
	{"host", "it decides who reaches the mock"},
	{"allowed-host", "it decides which pages reach the mock"},
	{"trust-proxy", "it decides which clients may set the mock's address"},
	{"private-network", "it decides which pages reach the mock"},
	{"control-token", "it decides who may change the mock"},
	{"allow-edit", "it decides whether clients of the mock may write files"},
	{"redirect-uri", "it decides where the issuer sends codes"},
	{"callbacks", "it decides where the mock sends requests"},
	{"allow-external-refs", "it decides which files and hosts the document reaches"},
	{"refs-root", "it decides which files the document reaches"},
	{"auth-command", "it runs a command"},
	{"restart-command", "it runs a command"},
	{"header", "a field such as Host sends your credentials elsewhere"},
	{"upstream-header", "a field such as Host sends your credentials elsewhere"},
	{"upstream-ca", "your credentials would go to whom it certifies"},
	{"upstream-cert", "it sends a certificate of yours to the upstream"},
	{"upstream-key", "it sends a certificate of yours to the upstream"},
	{"insecure", "your credentials would go to whoever answers"},
	{"ui", "it keeps the command running until Ctrl-C"},
}

// noSettings are flags without meaning in a file.
var noSettings = []string{"list", "help", "learn", "version"}

// outputFlags are the flags for output files, except report, with their formats. Other flags with files name input
// files.
var outputFlags = map[string]func(file string) config.Form{
	"coverage": coverageForm,
	"record":   func(string) config.Form { return config.Form{Extensions: []string{".har"}, Marks: recording.IsOwn} },
	"suggest-setup": func(string) config.Form {
		isSetup := func(part []byte) bool { return bytes.HasPrefix(part, []byte("# A setup for coldframe test, ")) }
		return config.Form{Extensions: []string{".yaml"}, Marks: isSetup}
	},
}

// fromFile sets flags that neither the command line nor the environment set from coldframe.yaml.
func (p *program) fromFile(command *cobra.Command, args []string) error {
	flags := command.Flags()
	section, reads := command.Annotations[readsConfig]
	if !reads && flags.Lookup("scenario") == nil || len(args) > 0 && isMistyped(args[0]) {
		return nil
	}
	document := ""
	switch {
	case (section == "test" || section == "proxy") && len(args) == 2, section == "" && len(args) > 0:
		document = args[0]
	case section == "check" && len(args) == 2:
		document = args[1]
	}
	document, err := located(document)
	if err != nil {
		return err
	}
	if p.beside, err = findSettings(document, command.Root()); err != nil {
		return err
	}
	return p.apply(p.beside, flags, section)
}

// findSettings reads coldframe.yaml beside a document.
func findSettings(document string, root *cobra.Command) (*config.File, error) {
	f, findings, err := config.Find(document, settingsOf(root))
	if err == nil && len(findings) > 0 {
		text := "the settings cannot be used:"
		for _, finding := range findings {
			text += "\n" + finding.String()
		}
		err = errors.New(text)
	}
	return f, err
}

// apply sets the flags of a section from the settings in a file.
func (p *program) apply(f *config.File, flags *pflag.FlagSet, section string) error {
	for _, setting := range f.Settings {
		of, name, inSection := strings.Cut(setting.Name, ".")
		if !inSection {
			of, name = "", of
		}
		flag := flags.Lookup(name)
		if of != section || flag == nil || flag.Changed {
			continue
		}
		p.twins[name] = setting.Place.String() + ": " + name
		for _, text := range setting.Values {
			text, err := resolve(f, flag, text)
			if err == nil {
				err = withinBound(flag, text)
			}
			if err != nil {
				return fmt.Errorf("%s: %w; give --%s or %s", p.origin(name), err, name, twin(name))
			}
			if err := flags.Set(name, text); err != nil {
				return err
			}
		}
	}
	return nil
}

// withinBound refuses a value with which a file would raise a limit.
func withinBound(flag *pflag.Flag, text string) error {
	if v, ok := flag.Value.(*value); ok && v.exceeds != nil && v.exceeds(text) {
		return fmt.Errorf("%q is more than %s, the most that a file beside a document may set", text, v.most)
	}
	return nil
}

// resolve returns the value of a setting with its file names, which are relative to the folder of coldframe.yaml,
// made relative to the current folder.
func resolve(f *config.File, flag *pflag.Flag, text string) (string, error) {
	form, _ := pflag.UnquoteUsage(flag)
	output := outputFlags[flag.Name]
	switch {
	case form == reportForm:
		return resolveReports(text, f.Output)
	case !strings.Contains(form, "FILE") || text == "-":
		return text, nil
	case output != nil:
		return f.Output(text, output(text))
	}
	return f.Input(text)
}

// settingsOf returns the flags that coldframe.yaml may set: the flags of serving, and in sections the flags of
// commands with a section.
func settingsOf(root *cobra.Command) []config.Flag {
	var all []config.Flag
	add := func(prefix string, flags *pflag.FlagSet) {
		flags.VisitAll(func(f *pflag.Flag) {
			if slices.Contains(noSettings, f.Name) {
				return
			}
			setting := config.Flag{Name: prefix + f.Name}
			for _, row := range notInFile {
				if row.flag == f.Name {
					setting.Refused = fmt.Sprintf("%s; give --%s or %s", row.reason, f.Name, twin(f.Name))
				}
			}
			all = append(all, setting)
		})
	}
	add("", root.Flags())
	for _, command := range root.Commands() {
		if section := command.Annotations[readsConfig]; section != "" {
			add(section+".", command.Flags())
		}
	}
	return all
}
