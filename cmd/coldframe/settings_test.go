package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/coldframe/coldframe/internal/config"
	"github.com/coldframe/coldframe/internal/testbench/golden"
)

// TestSettings lists what a file beside a document can set: whether it names files to read or to write, and how far it
// raises a bound. A new flag changes the list: decide whether it widens who reaches the mock or what it reaches, sends
// credentials elsewhere, runs something, bounds costs or names a file to write; then it belongs into notInFile or
// outputFlags, or is bounded. UPDATE_GOLDEN=1 writes the list again.
func TestSettings(t *testing.T) {
	var b strings.Builder
	root := (&program{}).rootCommand()
	for _, setting := range settingsOf(root) {
		if setting.Refused != "" {
			continue
		}
		b.WriteString(setting.Name)
		flag := settingFlag(root, setting.Name)
		form, _ := pflag.UnquoteUsage(flag)
		v, _ := flag.Value.(*value)
		switch {
		case form == reportForm || outputFlags[flag.Name] != nil:
			b.WriteString(", a file to write")
		case strings.Contains(form, "FILE"):
			b.WriteString(", a file to read")
		case v != nil && v.exceeds != nil:
			b.WriteString(", at most " + v.most)
		case slices.Contains([]string{"number", "int", "uint64", "size", "time"}, form):
			b.WriteString(", any " + form)
		}
		b.WriteString("\n")
	}
	file := filepath.Join("testdata", "settings.txt")
	if golden.Update() {
		if err := os.WriteFile(file, []byte(b.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), b.String()); diff != "" {
		t.Error(diff)
	}
}

// settingFlag returns the flag of a setting: port, or test.rate.
func settingFlag(root *cobra.Command, setting string) *pflag.Flag {
	if section, name, ok := strings.Cut(setting, "."); ok {
		for _, command := range root.Commands() {
			if command.Annotations[readsConfig] == section {
				return command.Flags().Lookup(name)
			}
		}
	}
	return root.Flags().Lookup(setting)
}

// TestBounds lets a file set each bound to its default, and no higher. The command line and the environment raise it.
func TestBounds(t *testing.T) {
	higher := map[string]string{"number": "1000001", "number|off": "1000000", "size": "1GiB", "time": "59m"}
	count := 0
	for _, name := range []string{"", "test", "check", "lint", "plan"} {
		command := func() (*program, *cobra.Command) {
			p := &program{twins: map[string]string{}}
			root := p.rootCommand()
			for _, command := range root.Commands() {
				if command.Name() == name {
					return p, command
				}
			}
			return p, root
		}
		_, all := command()
		all.Flags().VisitAll(func(f *pflag.Flag) {
			v, ok := f.Value.(*value)
			if !ok || v.exceeds == nil {
				return
			}
			count++
			section := all.Annotations[readsConfig]
			setting := strings.TrimPrefix(section+"."+f.Name, ".")
			set := func(text string, args ...string) error {
				p, c := command()
				if err := c.ParseFlags(args); err != nil {
					t.Fatal(err)
				}
				file := &config.File{Settings: []config.Setting{{Name: setting, Values: []string{text}}}}
				return p.apply(file, c.Flags(), section)
			}
			more := higher[v.form]
			if err := set(v.most); err != nil {
				t.Errorf("%s of %q to %s: %v", f.Name, name, v.most, err)
			}
			if err := set(more); err == nil || !strings.HasSuffix(err.Error(), "; give --"+f.Name+" or "+twin(f.Name)) {
				t.Errorf("%s of %q to %q: %v", f.Name, name, more, err)
			}
			if err := set(more, "--"+f.Name, more); err != nil {
				t.Errorf("--%s of %q to %q: %v", f.Name, name, more, err)
			}
		})
	}
	if count < 20 {
		t.Errorf("%d bounds", count)
	}
}
