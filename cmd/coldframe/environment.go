package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/mattn/go-isatty"
	"github.com/spf13/pflag"
)

// twin names the environment's variable for a flag: COLDFRAME_MAX_BODY for
// --max-body.
func twin(flag string) string {
	return "COLDFRAME_" + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// environment reads a variable; an empty one counts as unset.
//
// Kubernetes tells the containers beside a service called coldframe its address
// as COLDFRAME_PORT=tcp://10.0.0.1:4010. That is nobody's wish for a port.
func environment(name string) (value string, ok bool) {
	value = os.Getenv(name)
	if name == twin("port") && strings.Contains(value, "://") {
		return "", false
	}
	return value, value != ""
}

// fromEnvironment sets the flags that were not given from their twins. A flag
// that may be given several times takes a list like that of PATH.
func (p *program) fromEnvironment(flags *pflag.FlagSet) error {
	var failed error
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Changed || f.Name == "help" || f.Name == "version" {
			return
		}
		value, ok := environment(twin(f.Name))
		if !ok {
			return
		}
		p.twins[f.Name] = twin(f.Name)
		values := []string{value}
		if _, several := f.Value.(pflag.SliceValue); several {
			values = filepath.SplitList(value)
		}
		for _, v := range values {
			if err := flags.Set(f.Name, v); err != nil && failed == nil {
				failed = err
			}
		}
	})
	return failed
}

// isTerminal reports whether colours make sense on w (https://no-color.org).
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" && isatty.IsTerminal(f.Fd())
}
