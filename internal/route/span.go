package route

import (
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/spec"
)

// spanning is a template in which a variable stands for several segments of the path.
type spanning struct {
	template
	own   []segment // of the operation's template
	spans []int     // for each of own, the number of segments of the path
}

// spanningOf returns a template for each form of the values of an operation's variables that need a slash.
func spanningOf(o *spec.Operation, t template) (all []*spanning) {
	all = []*spanning{{template: template{names: t.names}, own: t.segments}}
	variable, spans := 0, false
	for _, s := range t.segments {
		forms := [][]segment{{s}}
		if len(s.literals) == 2 {
			if cut := formsOf(o, t.names[variable], s); cut != nil {
				forms, spans = cut, true
			}
		}
		variable += len(s.literals) - 1
		var longer []*spanning
		for _, before := range all {
			for _, form := range forms {
				if len(longer) < maxSpannings {
					longer = append(longer, before.with(form))
				}
			}
		}
		all = longer
	}
	if !spans {
		return nil
	}
	return all
}

// maxSpannings limits the templates of one operation.
const maxSpannings = 16

// formsOf returns the segments of the path for which a segment with one variable stands; nil if values of the variable
// need no slash.
func formsOf(o *spec.Operation, name string, s segment) (forms [][]segment) {
	for _, p := range o.Parameters {
		if p.In != exchange.InPath || p.Name != name {
			continue
		}
		for _, texts := range p.Spans() {
			form := make([]segment, len(texts))
			for i, text := range texts {
				form[i] = segment{[]string{text}}
				if text == "" {
					form[i] = segment{[]string{"", ""}}
				}
			}
			first, last := form[0].literals, form[len(form)-1].literals
			first[0], last[len(last)-1] = s.literals[0]+first[0], last[len(last)-1]+s.literals[1]
			forms = append(forms, form)
		}
	}
	return forms
}

func (s *spanning) with(form []segment) *spanning {
	longer := &spanning{template: template{names: s.names}, own: s.own}
	longer.segments = append(append(longer.segments, s.segments...), form...)
	longer.spans = append(append(longer.spans, s.spans...), len(form))
	return longer
}

// values appends the values of the variables in a path that the template matches, with their slashes encoded.
func (s *spanning) values(values []string, path string, escaped bool) []string {
	for i, own := range s.own {
		rest := path[1:]
		for range s.spans[i] - 1 {
			rest = rest[strings.IndexByte(rest, '/')+1:]
		}
		end := len(path)
		if slash := strings.IndexByte(rest, '/'); slash >= 0 {
			end -= len(rest) - slash
		}
		if variables := len(own.literals) - 1; variables > 0 {
			values = append(values, make([]string, variables)...)
			text := path[1:end]
			if s.spans[i] > 1 {
				text = strings.ReplaceAll(text, "/", "%2F")
			}
			own.match(text, escaped, values[len(values)-variables:])
		}
		path = path[end:]
	}
	return values
}
