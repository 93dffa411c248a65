package backends

import (
	"embed"
	"strings"
	"sync"
)

//go:embed faults/*.txt
var faultFiles embed.FS

// Fault is one deviation from a service's document.
type Fault struct {
	Name    string
	Service string
	Kind    string // its family
	// Beyond is set if only people can know that it is a fault: the document
	// states it in words, or not at all.
	Beyond bool
	What   string // one sentence
	Shown  string // requests whose last answers differ, in the notation of the tests
	Right  string // the first answer that differs, as it should be, shortened
	Wrong  string // the same with the fault switched on
}

// Catalogue returns all faults in the order of the files.
func Catalogue() []Fault { return catalogue() }

var catalogue = sync.OnceValue(func() []Fault {
	var all []Fault
	for _, service := range Services() {
		text, err := faultFiles.ReadFile("faults/" + service.Name + ".txt")
		if err != nil {
			panic(err)
		}
		all = append(all, parseFaults(service.Name, string(text))...)
	}
	return all
})

// parseFaults reads one file: "## KIND" begins a family, "-- NAME --" a fault;
// its first line is what it is, then come requests, "right: " and "wrong: ".
func parseFaults(service, text string) []Fault {
	var all []Fault
	kind := ""
	for line := range strings.Lines(text) {
		if rest, ok := strings.CutPrefix(line, "## "); ok {
			kind = strings.TrimSpace(rest)
			continue
		}
		if rest, ok := strings.CutPrefix(line, "-- "); ok {
			name, _, _ := strings.Cut(rest, " ")
			all = append(all, Fault{Name: name, Service: service, Kind: kind, Beyond: strings.HasPrefix(kind, "beyond "+
				"the document")})
			continue
		}
		if len(all) == 0 || strings.TrimSpace(line) == "" {
			continue
		}
		f := &all[len(all)-1]
		right, isRight := strings.CutPrefix(line, "right: ")
		wrong, isWrong := strings.CutPrefix(line, "wrong: ")
		switch {
		case isRight:
			f.Right = strings.TrimSpace(right)
		case isWrong:
			f.Wrong = strings.TrimSpace(wrong)
		case f.What == "":
			f.What = strings.TrimSpace(line)
		default:
			f.Shown += line
		}
	}
	return all
}

func known(service, name string) bool {
	for _, f := range catalogue() {
		if f.Service == service && f.Name == name {
			return true
		}
	}
	return false
}
