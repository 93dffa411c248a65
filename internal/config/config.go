// Package config reads coldframe.yaml, the settings file beside a document: the values of flags by their names,
// corrections of the inferred resources, and what generated values are. The
// file may come with somebody else's document, so it reads files of its folder only, and writes into one folder of it.
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

// File is one coldframe.yaml. The zero value says nothing.
type File struct {
	Path     string // as it was found; "" where there is none
	Settings []Setting
	// Resources are the corrections of resources, by path or "METHOD path"; nil
	// where there are none. Package resource reads them.
	Resources *tree.Node
	// Values say what generated values are, by "Schema.property" or "METHOD path STATUS /pointer"; nil if nothing
	// is said. Package values reads them.
	Values *tree.Node
	// HasRules says that the section test has operations or waivers. Package rules of the contract tester reads them.
	HasRules bool
}

// Flag is a flag that a file may name: port, or test.rate for one in the section of a command.
type Flag struct {
	Name    string
	Refused string // why no file can set it, and what to do instead; "" where one can
}

// Setting is the value of a flag.
type Setting struct {
	Name   string   // of a flag in a command's section: test.rate
	Values []string // several of a flag that may be given several times
	Place  exchange.Place
}

// Beside returns the path of the file of a document, "" for a document that is in
// no folder. A document without a name has it in the current one.
func Beside(document string) string {
	if document == "-" || strings.Contains(document, "://") || strings.HasPrefix(document, "<") {
		return ""
	}
	return filepath.Join(filepath.Dir(document), Name)
}

// Find reads the file beside a document. If there is none, it returns a File that says nothing.
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

// Parse reads the text of the file at path: one YAML document, without what YAML readers understand differently.
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

// rules are the members of the section test that are no flags.
var rules = []string{"operations", "waivers"}

// values returns a scalar, or a list of them, as the command line would have them.
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
