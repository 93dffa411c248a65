package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"math/big"
	"net"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/coldframe/coldframe/contracts"
	"github.com/coldframe/coldframe/internal/nearest"
	"github.com/coldframe/coldframe/mock"
)

// explain returns an error as one line for people, with a hint if there is an obvious remedy. Errors in scenarios and
// data take a line each.
func (p *program) explain(err error) string {
	var value *pflag.InvalidValueError
	var option *mock.OptionError
	var tested *contracts.OptionError
	var scenarios *mock.ScenarioError
	var data *mock.DataError
	var listen *net.OpError
	switch {
	case errors.As(err, &value):
		return p.origin(value.GetFlag().Name) + ": " + valueReason(value)
	case errors.As(err, &option):
		return p.origin(flagName(option.Option)) + ": " + flagNames(option.Reason)
	case errors.As(err, &tested) && tested.Option != "URL":
		return p.origin(flagName(tested.Option)) + ": " + flagNames(tested.Message)
	case errors.As(err, &scenarios):
		return "the scenarios cannot be used:\n" + scenarios.Error()
	case errors.As(err, &data):
		return "the data cannot be used:\n" + flagNames(data.Error())
	case errors.As(err, &listen) && listen.Op == "listen":
		return listenReason(listen)
	}
	return flagNames(err.Error())
}

// irregularFlags maps fields of mock.Options and contracts.Options to flags with another name.
var irregularFlags = map[string]string{
	"Scenarios": "scenario", "SelfSigned": "tls", "Phases": "phase", "Checks": "check", "Operations": "operation",
	"APIKeys": "api-key", "SetupFile": "setup", "AllowedHosts": "allowed-host", "Now": "clock",
	"Replay.Files": "replay", "Replay.Strict": "replay-strict", "Load.Timeout": "load-timeout", "Auth.Mode": "auth", "Log.Format": "log",
	"Control.Mode": "control", "Control.Port": "control-port", "Control.Token": "control-token",
}

// flagName returns the flag of an option: Limits.MaxBody is max-body.
func flagName(option string) string {
	if flag, ok := irregularFlags[option]; ok {
		return flag
	}
	field := option[strings.LastIndexByte(option, '.')+1:]
	if flag, ok := irregularFlags[field]; ok {
		return flag
	}
	words := regexp.MustCompile("[A-Z]?[a-z]+|[A-Z]+").FindAllString(strings.Replace(field, "TLS", "Tls", 1), -1)
	return strings.ToLower(strings.Join(words, "-"))
}

// flagNames replaces names of options in a message of the library by names of flags.
func flagNames(message string) string {
	return regexp.MustCompile(`Options(\.[A-Z]\w*)+`).ReplaceAllStringFunc(message, func(field string) string {
		return "--" + flagName(strings.TrimPrefix(field, "Options."))
	})
}

// origin returns where a setting came from: --port or COLDFRAME_PORT.
func (p *program) origin(flag string) string { return cmp.Or(p.twins[flag], "--"+flag) }

// valueReason says why the value of a flag is invalid. pflag's own messages omit the value, so its types get messages
// here; the types of this package have their own.
func valueReason(err *pflag.InvalidValueError) string {
	text := err.GetValue()
	switch err.GetFlag().Value.Type() {
	case "bool":
		return fmt.Sprintf("%q is neither true nor false", text)
	case "int", "uint64":
		if _, isWhole := new(big.Int).SetString(text, 0); isWhole {
			return fmt.Sprintf("%q is out of range", text)
		}
		return fmt.Sprintf("%q is not a whole number", text)
	}
	return err.Unwrap().Error()
}

func listenReason(err *net.OpError) string {
	if unknown, ok := errors.AsType[*net.DNSError](err); ok {
		return fmt.Sprintf("--host: %q is unknown: %s; use an address of this machine, such as 127.0.0.1", unknown.Name,
			unknown.Err)
	}
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return fmt.Sprintf("the address %s is in use; choose another port with --port, or 0 for any free port", err.Addr)
	case errors.Is(err, syscall.EADDRNOTAVAIL):
		return fmt.Sprintf("%s is not an address of this machine; choose one with --host, or 0.0.0.0 for all", err.Addr)
	case errors.Is(err, fs.ErrPermission):
		return fmt.Sprintf("no permission to listen on %s; choose a port above 1023 with --port", err.Addr)
	}
	return fmt.Sprintf("cannot listen on %s: %v; choose another address with --host and --port", err.Addr, err.Err)
}

func flagError(command *cobra.Command, err error) error {
	if unknown, ok := errors.AsType[*pflag.NotExistError](err); ok {
		flag := "--" + unknown.GetSpecifiedName()
		if group := unknown.GetSpecifiedShortnames(); group != "" {
			flag = "-" + unknown.GetSpecifiedName()
		}
		flags := &cobra.Command{} // its commands have the names of the flags, so that cobra can suggest one
		command.Flags().VisitAll(func(f *pflag.Flag) {
			flags.AddCommand(&cobra.Command{Use: f.Name, Run: func(*cobra.Command, []string) {}})
		})
		return fmt.Errorf("unknown flag %s%s", flag, hint(command, "--", unknown.GetSpecifiedName(), flags))
	}
	if missing, ok := errors.AsType[*pflag.ValueRequiredError](err); ok {
		what, _ := pflag.UnquoteUsage(missing.GetFlag())
		return fmt.Errorf("--%s needs a value: --%[1]s %s", missing.GetFlag().Name, what)
	}
	return err
}

// isMistyped reports whether an argument looks like a mistyped command: there is no such file, and it does not look
// like a file name.
func isMistyped(arg string) bool {
	if strings.ContainsAny(arg, `./\:`) || arg == "-" {
		return false
	}
	_, err := os.Stat(arg)
	return errors.Is(err, fs.ErrNotExist)
}

func unknownCommand(command *cobra.Command, name string) error {
	what := "command or file"
	if command.HasParent() {
		what = "command"
	}
	meant := hint(command, command.CommandPath()+" ", name, command)
	if file := nearest.File(name); file != "" && !command.HasParent() && len(command.SuggestionsFor(name)) == 0 {
		meant = file
	}
	return fmt.Errorf("there is no %s %q%s", what, name, meant)
}

// hint names the command below known that the user probably meant, or where to look.
func hint(command *cobra.Command, prefix, typed string, known *cobra.Command) string {
	known.SuggestionsMinimumDistance = 2
	if meant := known.SuggestionsFor(typed); len(meant) > 0 {
		begins := func(name string) bool { return strings.HasPrefix(name, typed) }
		return "; did you mean " + prefix + meant[max(0, slices.IndexFunc(meant, begins))] + "?"
	}
	return "; see " + command.CommandPath() + " --help"
}

func takes(least, most int, what string) cobra.PositionalArgs {
	return func(command *cobra.Command, args []string) error {
		switch {
		case len(args) > 0 && command.HasSubCommands() && most == 0:
			return unknownCommand(command, args[0])
		case len(args) < least:
			return fmt.Errorf("%s needs %s: %s", command.Name(), what, command.UseLine())
		case len(args) > most:
			return fmt.Errorf("%s takes %s, not %s: %s", command.Name(), what, strconv.Quote(strings.Join(args, " ")),
				command.UseLine())
		}
		return nil
	}
}
