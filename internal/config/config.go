// Package config reads coldframe.yaml, the settings file beside a document: flags by name, corrections of the
// inferred resources, and settings of generated values. The file may come with somebody else's document, so it can
// name only input files in its own folder, and output files in one folder below.
package config

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/nearest"
	"github.com/coldframe/coldframe/internal/tree"
)

// Name is the file's name.
const Name = "coldframe.yaml"

const maxBytes = 4 << 20

// File is one coldframe.yaml. The zero value is an empty file.
type File struct {
	Path     string // "" if none
	Settings []Setting
	// Resources are the corrections of resources, by path or "METHOD path"; nil if none. Package resource
	// reads them.
	Resources *tree.Node
	// Values are the settings of generated values, by "Schema.property" or "METHOD path STATUS /pointer"; nil if
	// none. Package values reads them.
	Values *tree.Node
	// HasRules is set if the section test has operations or waivers. Package rules of the contract tester reads them.
	HasRules bool
}

// Flag is a flag that a file may set: port, or test.rate for a flag in the section of a command.
type Flag struct {
	Name    string
	Refused string // why files cannot set it, and what to do instead; "" if they can
}

// Setting is the value of a flag.
type Setting struct {
	Name   string   // with the section of a command: test.rate
	Values []string // several for a flag that may be given several times
	Place  exchange.Place
}

// Beside returns the path of a document's settings file, "" for a document that is not in a folder. A document
// without a name uses the current folder.
func Beside(document string) string {
	if document == "-" || strings.Contains(document, "://") || strings.HasPrefix(document, "<") {
		return ""
	}
	return filepath.Join(filepath.Dir(document), Name)
}

// Find reads the file beside a document. If there is none, it returns an empty File.
func Find(document string, flags []Flag) (*File, []exchange.Finding, error) {
	path := Beside(document)
	if path == "" {
		return &File{}, nil, nil
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist), err == nil && info.IsDir():
		return &File{}, nil, nil
	case err == nil && !info.Mode().IsRegular():
		return nil, nil, errors.New(path + " is no regular file")
	case err == nil && info.Size() > maxBytes:
		return nil, nil, errors.New(path + " is larger than 4 MiB")
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, nil, errors.New("cannot read " + path + ": " + err.Error())
	}
	return Parse(path, text, flags)
}

// Parse parses the text of the file at path: one YAML document, without constructs that YAML readers understand
// differently.
func Parse(path string, text []byte, flags []Flag) (*File, []exchange.Finding, error) {
	root, findings, err := tree.ReadStrict(path, text)
	if err != nil {
		return nil, nil, err
	}
	f := &File{Path: path}
	if root.Kind == tree.Null {
		return f, findings, nil
	}
	find := func(place exchange.Place, message string) {
		findings = append(findings, exchange.Finding{Code: "invalid-setting", Message: message, Document: place})
	}
	if root.Kind != tree.Object {
		find(root.Place(), Name+" must be an object of settings, is "+root.Kind.String())
		return f, findings, nil
	}
	sections := map[string][]string{"": {"resources", "values"}}
	trees := map[string]**tree.Node{"resources": &f.Resources, "values": &f.Values}
	refused := map[string]string{}
	for _, f := range flags {
		refused[f.Name] = f.Refused
		section, flag, ok := strings.Cut(f.Name, ".")
		if !ok {
			section, flag = "", f.Name
		} else if sections[section] == nil {
			sections[""] = append(sections[""], section)
		}
		sections[section] = append(sections[section], flag)
	}
	sections["test"] = append(sections["test"], rules...)
	var read func(n *tree.Node, section string)
	read = func(n *tree.Node, section string) {
		known, prefix := sections[section], section
		if section != "" {
			prefix += "."
		}
		for _, m := range n.Fields() {
			switch {
			case section == "test" && slices.Contains(rules, m.Name):
				f.HasRules = true
			case !slices.Contains(known, m.Name):
				find(n.PlaceOf(m.Name), strconv.Quote(prefix+m.Name)+" is no setting"+nearest.Hint(m.Name, known))
			case refused[prefix+m.Name] != "":
				find(n.PlaceOf(m.Name), "no file can set "+strconv.Quote(prefix+m.Name)+": "+refused[prefix+m.Name])
			case section == "" && trees[m.Name] != nil:
				*trees[m.Name] = m.Value
			case section == "" && sections[m.Name] != nil:
				if m.Value.Kind != tree.Object {
					find(m.Value.Place(), strconv.Quote(m.Name)+" must be an object of settings, is "+m.Value.Kind.String())
					continue
				}
				read(m.Value, m.Name)
			default:
				values, ok := values(m.Value)
				if !ok {
					find(m.Value.Place(), strconv.Quote(prefix+m.Name)+" must be a value or a list of values, as on the command line")
					continue
				}
				f.Settings = append(f.Settings, Setting{prefix + m.Name, values, m.Value.Place()})
			}
		}
	}
	read(root, "")
	return f, exchange.Sort(findings), nil
}

// rules are the members of the section test that are not flags.
var rules = []string{"operations", "waivers"}

// values returns a scalar, or a list of them, in the form of the command line.
func values(n *tree.Node) ([]string, bool) {
	items := []*tree.Node{n}
	if n.Kind == tree.Array {
		items = n.List()
	}
	var all []string
	for _, item := range items {
		if item.Kind != tree.String && item.Kind != tree.Number && item.Kind != tree.Bool {
			return nil, false
		}
		all = append(all, item.Text)
	}
	return all, len(all) > 0
}
