package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/coldframe/coldframe/internal/nearest"
)

// shells are the shells that have a completion script.
var shells = []struct {
	name, load string // load is the command line that loads the script
	script     func(root *cobra.Command, to io.Writer) error
}{
	{"bash", "source <(coldframe completion bash)",
		func(root *cobra.Command, to io.Writer) error { return root.GenBashCompletionV2(to, true) }},
	{"zsh", "source <(coldframe completion zsh)", (*cobra.Command).GenZshCompletion},
	{"fish", "coldframe completion fish | source",
		func(root *cobra.Command, to io.Writer) error { return root.GenFishCompletion(to, true) }},
	{"powershell", "coldframe completion powershell | Out-String | Invoke-Expression",
		(*cobra.Command).GenPowerShellCompletionWithDesc},
}

func (p *program) completionCommand() *cobra.Command {
	var names []string
	long := "Print the script that makes a shell complete commands, flags, their values and files.\n" +
		"Add the line for your shell to its startup file:\n"
	for _, shell := range shells {
		names = append(names, shell.name)
		long += fmt.Sprintf("\n  %-11s %s", shell.name, shell.load)
	}
	return &cobra.Command{
		Use:       "completion " + strings.Join(names, "|"),
		Short:     "Print the completion script of a shell",
		Long:      long + "\n\nThe script for bash needs the package bash-completion.",
		Args:      takes(1, 1, "the name of a shell: "+strings.Join(names, ", ")),
		ValidArgs: names,
		RunE: func(command *cobra.Command, args []string) error {
			for _, shell := range shells {
				if shell.name == args[0] {
					return shell.script(command.Root(), p.stdout)
				}
			}
			return fmt.Errorf("%q is none of %s%s", args[0], strings.Join(names, ", "), nearest.Hint(args[0], names))
		},
	}
}

// completeArguments turns off completion after commands that take no file. After other commands shells complete files
// themselves, except after the program's name, as they would complete only commands there.
func completeArguments(root *cobra.Command) {
	root.ValidArgsFunction = func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
		return nil, cobra.ShellCompDirectiveDefault // a file, if the word begins no command
	}
	for _, words := range []string{"demo", "health", "log", "mcp", "version", "scenario new", "scenario schema"} {
		command, _, err := root.Find(strings.Fields(words))
		if err != nil {
			panic(err)
		}
		command.ValidArgsFunction = cobra.NoFileCompletions
	}
}

// completeHelp returns the names of the commands below the named one.
func completeHelp(command *cobra.Command, named []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	topic, rest, err := command.Root().Find(named)
	if err != nil || len(rest) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var names []cobra.Completion
	for _, sub := range topic.Commands() {
		if sub.IsAvailableCommand() {
			names = append(names, sub.Name()+"\t"+sub.Short)
		}
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

// completeFlags registers completions for the values of flags: words if the values are known, files if they are
// files, else nothing.
func completeFlags(command *cobra.Command) {
	command.Flags().VisitAll(func(f *pflag.Flag) {
		form, _ := pflag.UnquoteUsage(f)
		words := []string{}
		if v, ok := f.Value.(*value); ok {
			words = v.words
		} else if strings.Contains(form, "FILE") || form == "DIRECTORY" {
			return // shells complete files by themselves
		}
		err := command.RegisterFlagCompletionFunc(f.Name,
			func(_ *cobra.Command, _ []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
				return completed(words, form, typed), cobra.ShellCompDirectiveNoFileComp
			})
		if err != nil {
			panic(err) // the flag has a completion already
		}
	})
	for _, sub := range command.Commands() {
		completeFlags(sub)
	}
}

// completed returns the values that begin with the typed text. In a list it completes the last element: a,b → a,bc. A
// "!" before the name of a list element excludes it.
func completed(words []string, form, typed string) []cobra.Completion {
	before := ""
	if strings.HasSuffix(form, ",...") {
		before = typed[:strings.LastIndexByte(typed, ',')+1]
		if strings.HasPrefix(typed[len(before):], "!") {
			before += "!"
		}
	}
	var all []cobra.Completion
	for _, word := range words {
		if strings.HasPrefix(word, typed[len(before):]) {
			all = append(all, before+word)
		}
	}
	return all
}
