package resource

import (
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/naming"
	"github.com/coldframe/coldframe/internal/schema"
)

// procedure is an operation whose path ends in a noun and a verb: POST /plants.create, POST /plants/update, POST
// /updatePlant.
type procedure struct {
	*operation
	before []segment // of the path
	noun   string
	verb   string
	key    []string // of the item that the request names, in its body or query; nil for none
	keyIn  KeyIn
	named  bool // all requests have the key
	lists  bool // the answer has a list of items
	made   bool // it creates an item by its types: it answers an item of which it is sent a part
}

// findProcedures moves remote procedures to the paths that their operations would have in an API of paths: POST
// /plants.create is one on /plants, and POST /plants.update with {plantId} in the body is PATCH /plants/{plantId}. Only
// the inference sees these places; see keysOfProcedures. Procedures of a noun are such ones if one creates an item, and
// another lists items or reads one.
func (in *inference) findProcedures() {
	families := map[string][]*procedure{}
	var order []string
	taken := map[string]bool{} // paths with operations, and those above a variable
	above := map[string]bool{} // the latter
	for _, o := range in.operations {
		path := pathOf(o.segments)
		taken[path] = true
		n := len(o.segments) - 1
		switch {
		case n < 0:
		case o.segments[n].variable():
			taken[pathOf(o.segments[:n])], above[pathOf(o.segments[:n])] = true, true
		default:
			taken[pathOf(o.segments[:n])+"/"+naming.SingularName(o.segments[n].text)] = true
		}
	}
	for _, o := range in.operations {
		p := in.procedureOf(o)
		if p == nil || above[pathOf(o.segments)] {
			continue
		}
		path := pathOf(append(slices.Clip(p.before), segment{text: p.noun}))
		if taken[path] {
			continue
		}
		if families[path] == nil {
			order = append(order, path)
		}
		families[path] = append(families[path], p)
	}
	for _, path := range order {
		family := families[path]
		creates := slices.ContainsFunc(family, (*procedure).creates)
		isOther := func(p *procedure) bool { return !p.answersNew() }
		if answering := slices.DeleteFunc(slices.Clone(family), isOther); !creates && len(answering) == 1 {
			answering[0].made, creates = true, true
		}
		var created view
		for _, p := range family {
			if p.creates() && !created.ok() {
				created = p.item()
			}
		}
		findSoleKey(family, created)
		shows := slices.ContainsFunc(family, func(p *procedure) bool { return p.asks() || p.reads(created) })
		if !creates || !shows {
			continue
		}
		for _, p := range family {
			p.place(created)
		}
	}
}

func pathOf(segments []segment) string {
	var b strings.Builder
	for _, s := range segments {
		b.WriteByte('/')
		b.WriteString(s.text)
		if s.variable() {
			b.WriteString("{}")
		}
	}
	return b.String()
}

// procedureOf reads the end of a path as a noun and a verb; nil if it is none.
func (in *inference) procedureOf(o *operation) *procedure {
	n := len(o.segments) - 1
	if n < 0 || o.segments[n].variable() || o.segments[n].custom || o.Method != "GET" && o.Method != "POST" {
		return nil
	}
	p := &procedure{operation: o, before: o.segments[:n]}
	last := o.segments[n].text
	words := naming.Words(last)
	switch at := strings.LastIndexByte(last, '.'); {
	case at > 0 && isProcedure(last):
		p.noun, p.verb = last[:at], last[at+1:]
		for before, noun, ok := strings.Cut(p.noun, "."); ok; before, noun, ok = strings.Cut(p.noun, ".") {
			p.before, p.noun = append(slices.Clip(p.before), segment{text: before}), noun
		}
	case n > 0 && !o.segments[n-1].variable() && !o.segments[n-1].custom && !isVerb(o.segments[n-1].text) &&
		(isVerb(last) || readVerbs.Has(strings.ToLower(last))):
		p.noun, p.verb, p.before = o.segments[n-1].text, last, o.segments[:n-1]
	case len(words) > 1 && (isVerb(last) || readVerbs.Has(words[0])):
		p.noun, p.verb = naming.SingularName(strings.Join(words[1:], "-")), words[0]
	default:
		return nil
	}
	list, score := findList(o.answer, p.names())
	const likely = 0.5
	p.lists = list != nil && score >= likely
	p.findKey(p.names()[0])
	return p
}

func (p *procedure) names() []string { return singularNames(p.noun) }

// findSoleKey finds the key of a family whose requests name the item otherwise: a request that reads the created item
// requires only one of its properties. Others that require it name their item by it, too.
func findSoleKey(family []*procedure, created view) {
	sole := ""
	for _, p := range family {
		required := p.required()
		if p.key == nil && len(required) == 1 && created.ok() && canBeKey(created.member(required[0]).kind()) &&
			p.answersOne(created) {
			sole = required[0]
			break
		}
	}
	for _, p := range family {
		if sole == "" || p.key != nil || p.lists || p.creates() || !slices.Contains(p.required(), sole) {
			continue
		}
		p.key, p.keyIn, p.named = []string{sole}, InQuery, true
		if p.request.member(sole).ok() {
			p.keyIn = InBody
		}
	}
}

// required returns the names of the parameters of the query and the members of the body that a request must have.
func (p *procedure) required() (names []string) {
	for _, q := range p.Parameters {
		if q.In == exchange.InQuery && q.Required {
			names = append(names, q.Name)
		}
	}
	if p.request.ok() {
		for name := range schema.Required(p.request.k) {
			names = append(names, name)
		}
	}
	return names
}

// findKey finds the key of the item that a request names, as {id} or {plantId}.
func (p *procedure) findKey(noun string) {
	for _, name := range []string{noun + "id", "id", noun + "key"} {
		for _, q := range p.Parameters {
			if q.In == exchange.InQuery && naming.Fold(q.Name) == name {
				p.key, p.keyIn, p.named = []string{q.Name}, InQuery, q.Required
				return
			}
		}
		for _, m := range p.request.members() {
			if m.folded == name && canBeKey(m.view.kind()) {
				p.key, p.keyIn, p.named = []string{m.name}, InBody, schema.Required(p.request.k)[m.name]
				return
			}
		}
	}
}

// only returns the verb if it has no object of its own: create, but not remove of remove_user.
func (p *procedure) only() string {
	if w := naming.Words(p.verb); len(w) == 1 {
		return w[0]
	}
	return ""
}

func (p *procedure) creates() bool {
	return p.made || p.Method == "POST" && !p.named && createVerbs.Has(p.only())
}

// answersNew reports whether a request that names no item is answered with one that has the values sent.
func (p *procedure) answersNew() bool {
	isOther := readVerbs.Has(p.only()) || changeVerbs.Has(p.only())
	return p.Method == "POST" && p.key == nil && !p.lists && !isOther && isPartOf(p.request, p.item())
}

// item returns the one item that a procedure answers; a view that is not ok for none.
func (p *procedure) item() view {
	shown := findItem(p.answer, p.names(), view{})
	if shown == nil || shown.Many {
		return view{}
	}
	return p.answer.of(shown.Value)
}

// reads reports whether a request is answered with the item that it names. created is what a creation answers.
func (p *procedure) reads(created view) bool { return p.key != nil && p.answersOne(created) }

// answersOne reports whether a request that changes nothing is answered with an item.
func (p *procedure) answersOne(created view) bool {
	asks := p.Method == "GET" || readVerbs.Has(p.only())
	return !p.lists && asks && p.item().ok() && (!created.ok() || isSame(p.item(), created))
}

// asks reports whether a procedure answers a list and changes nothing: its verb says so, or its body chooses a page.
func (p *procedure) asks() bool {
	return p.lists && p.key == nil && (p.Method == "GET" || readVerbs.Has(p.only()) ||
		slices.ContainsFunc(p.request.members(), func(m member) bool {
			return paramRole(m.name, m.view) != NoParam
		}))
}

// place sets the place and the method by which the inference sees the procedure. created is what a creation answers.
func (p *procedure) place(created view) {
	noun := segment{text: p.noun}
	on := append(slices.Clip(p.before), noun)
	item := append(slices.Clip(on), segment{variables: p.key})
	verb := segment{text: p.verb}
	switch {
	case p.creates():
		p.segments = on
		return
	case p.asks():
		p.segments = on
		if p.Method == "POST" {
			p.Method = "QUERY"
		}
	case p.key == nil:
		p.segments = append(on, verb)
		return
	case p.reads(created):
		p.segments, p.Method = item, "GET"
	case isDeletion(p.only()):
		p.segments, p.Method = item, "DELETE"
	case updateVerbs.Has(p.only()):
		p.segments, p.Method = item, "PATCH"
	default:
		p.segments = append(item, verb)
	}
	p.operation.keyIn = p.keyIn
}

// keysOfProcedures notes where procedures, and operations whose role an override says, name their item.
func (in *inference) keysOfProcedures() {
	for _, o := range in.operations {
		b := o.binding
		isOfItem := b.Role >= Read && b.Role <= Upsert && b.Resource != nil && !b.Resource.Singleton
		if b.Declared && isOfItem && b.KeyIn == Nowhere && namedInRequest(b, o.request) && b.KeyIn == InBody {
			b.KeyPath, b.Keys = b.Keys, nil
		}
		if o.keyIn == Nowhere || b.KeyIn != InPath {
			continue
		}
		b.KeyIn = o.keyIn
		if delete(b.Takes, b.Variable); len(b.Takes) == 0 {
			b.Takes = nil
		}
		if o.keyIn == InBody {
			b.Variable, b.KeyPath = "", []string{b.Variable}
		}
	}
}
