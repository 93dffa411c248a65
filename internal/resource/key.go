package resource

import (
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/naming"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/words"
)

// keyWords end the names of variables and properties that identify items, the likeliest first.
var keyWords = words.Ranked("key-word")

const likelyKeyWords = 12

var (
	otherIDs    = words.RoleOf("other-id")
	idVariables = words.RoleOf("id-variable")
)

// keyPair is a path's variable and a property that may hold its value.
type keyPair struct {
	member
	variable       string   // folded
	last           string   // word of the variable
	alternatives   []string // in the variable's name: id and slug of idOrSlug
	rank           int      // of the property among keyWords, -1 if none
	names          []string
	variableKind   schema.Type
	variableFormat string
	longer         string // the only property whose name ends like the variable's, or the other way; "" if none
	natural        string // the only property that is a key by nature, of an item without an id; "" if none
	short          string // the only property with a short name that ends in id; "" if none
}

// isNamed reports whether a name is one of the resource's with an ending.
func (p *keyPair) isNamed(name, ending string) bool {
	stem, ok := strings.CutSuffix(name, ending)
	return ok && slices.Contains(p.names, stem)
}

func (p *keyPair) saw(holds bool) string { return when(holds, p.name) }

// keyRules say how likely a variable names a property; the first that holds counts.
var keyRules = rules[*keyPair]{
	{name: "same name", weight: 1, source: byName, example: "{slug} and slug", sees: func(p *keyPair) string { return p.saw(p.variable == p.folded) }},
	{name: "resource with key", weight: 0.97, source: byName, example: "{plantId} and id", sees: func(p *keyPair) string { return p.saw(p.rank >= 0 && p.isNamed(p.variable, p.folded)) }},
	{name: "key of the resource", weight: 0.92, source: byName, example: "{id} and plantId", sees: func(p *keyPair) string {
		return p.saw(idVariables.Has(p.variable) && p.isNamed(p.folded, "id"))
	}},
	{name: "another word for id", weight: 0.8, source: byName, example: "{id} or {plantId} and uuid", sees: func(p *keyPair) string {
		return p.saw((p.variable == "id" || p.isNamed(p.variable, "id")) && otherIDs.Has(p.folded))
	}},
	{name: "id with a letter", weight: 0.7, source: byName, example: "{id} or {plantId} and gid", sees: func(p *keyPair) string {
		return p.saw((p.variable == "id" || p.isNamed(p.variable, "id")) && p.name == p.short)
	}},
	{name: "names of a user", weight: 0.9, source: byName, example: "{username} and login", sees: func(p *keyPair) string {
		return p.saw(nameOfUser.Has(p.variable) && nameOfUser.Has(p.folded))
	}},
	{name: "name of a user", weight: 0.6, source: byName, example: "{username} and name", sees: func(p *keyPair) string {
		return p.saw(nameOfUser.Has(p.variable) && p.folded == "name")
	}},
	{name: "identifier and id", weight: 0.85, source: byName, example: "{identifier} and id", sees: func(p *keyPair) string {
		return p.saw(idVariables.Has(p.variable) && p.folded == "id")
	}},
	{name: "resource and its id", weight: 0.8, source: byName, example: "{plant} and plantId", sees: func(p *keyPair) string { return p.saw(p.isNamed(p.variable, "") && p.isNamed(p.folded, "id")) }},
	{name: "resource and a likely key", weight: 0.82, source: byName, example: "{plant} and id, slug, name", sees: func(p *keyPair) string {
		return p.saw(p.isNamed(p.variable, "") && p.rank >= 0 && p.rank < likelyKeyWords)
	}, more: func(p *keyPair) float64 { return -0.01 * float64(p.rank) }},
	{name: "last word", weight: 0.75, source: byName, example: "{petStoreId} and id", sees: func(p *keyPair) string { return p.saw(p.rank >= 0 && p.last == p.folded) }},
	{name: "end of the name", weight: 0.72, source: byName, example: "{profile_id} and house_profile_id, {house_user_id} and user_id", sees: func(p *keyPair) string { return p.saw(p.name == p.longer) }},
	{name: "one of several keys", weight: 0.75, source: byName, example: "{idOrSlug} and id", sees: func(p *keyPair) string { return p.saw(slices.Contains(p.alternatives, p.folded)) }},
	{name: "id and the only natural key", weight: 0.48, source: byName, example: "{airportId} and iataCode, no id", sees: func(p *keyPair) string {
		isKey := p.variable == "id" || p.isNamed(p.variable, "id") || p.isNamed(p.variable, "key")
		return p.saw(isKey && p.name == p.natural)
	}},
	{name: "id of any variable", weight: 0.4, source: byName, example: "{which} and id", sees: func(p *keyPair) string { return p.saw(p.folded == "id") }},
}

var keyDoubts = rules[*keyPair]{
	{name: "number and text", weight: 0.7, source: bySchema, example: "an integer {id} and a string id", sees: func(p *keyPair) string {
		return p.saw((p.variableKind == schema.Integer || p.variableKind == schema.Number) && p.view.kind() == schema.String)
	}},
	{name: "text and number", weight: 0.75, source: bySchema, example: "a string {id} and an integer id", sees: func(p *keyPair) string {
		return p.saw(p.variableKind == schema.String && (p.view.kind() == schema.Integer || p.view.kind() == schema.Number))
	}},
	{name: "UUID and something else", weight: 0.6, source: bySchema, example: "{id} of format uuid and slug", sees: func(p *keyPair) string {
		likeID := p.view.kind() == schema.String && strings.HasSuffix(p.folded, "id")
		return p.saw(p.variableFormat == "uuid" && !likeID && p.view.format() != "uuid")
	}},
}

type keyMatch struct {
	path  []string
	score float64
	rule  string
}

var keyHolders = words.RoleOf("key-holder")

// matchKey finds the property of an item that a path's variable names. names
// are those that the resource goes by, in the singular.
func (in *inference) matchKey(o *operation, variable string, item view, names []string) keyMatch {
	if p := o.pathParameter(variable); p != nil && p.Within != nil {
		return keyMatch{} // the property has the whole name, with its parents
	}
	parameter := in.cache.parameter(o.pathParameter(variable))
	best := matchProperty(variable, parameter, item, names)
	if best.score < 0.5 {
		for _, m := range item.members() {
			isWrapped := len(item.members()) == 1 && slices.Contains(names, naming.SingularName(m.name))
			if !keyHolders.Has(m.folded) && !isWrapped || m.view.kind() != schema.Object {
				continue
			}
			inner := matchProperty(variable, parameter, m.view, names)
			if score := inner.score * 0.9; inner.score >= 0.7 && score > best.score {
				best = keyMatch{append([]string{m.name}, inner.path...), score, inner.rule}
			}
		}
	}
	if best.score < 0.35 {
		return keyMatch{}
	}
	return best
}

func matchProperty(variable string, parameter, item view, names []string) keyMatch {
	var best keyMatch
	p := keyPair{variable: naming.Fold(variable), names: names}
	p.variableKind, p.variableFormat = parameter.kind(), parameter.format()
	if w := naming.Words(variable); len(w) > 0 {
		p.last = w[len(w)-1]
		if all := strings.Split(strings.Join(w, " "), " or "); len(all) > 1 {
			p.alternatives = all
		}
	}
	p.natural, p.longer, p.short = naturalKey(item, names), longerName(variable, item), shortID(item)
	for _, p.member = range item.members() {
		if !canBeKey(p.view.kind()) {
			continue
		}
		p.rank = slices.Index(keyWords, p.folded)
		r, _ := keyRules.first(&p)
		if r == nil {
			continue
		}
		score := r.weigh(&p)
		for i := range keyDoubts {
			if keyDoubts[i].sees(&p) != "" {
				score *= keyDoubts[i].weight
			}
		}
		if score > best.score {
			best = keyMatch{[]string{p.name}, score, r.name}
		}
	}
	return best
}

// shortID returns the only property of an item that is an identifier by a short name: gid, oid; "" if none.
func shortID(item view) (found string) {
	for _, m := range item.members() {
		if !naming.IsShortID(m.folded) || !canBeKey(m.view.kind()) {
			continue
		}
		if found != "" {
			return ""
		}
		found = m.name
	}
	return found
}

// naturalNames are names of properties that identify things outside of the API as well.
var naturalNames = words.RoleOf("natural-name")

// naturalKey returns the name of the only property of an item that is a key by nature; "" if there are several, or an
// id, or if lists of values say that it is not a key.
func naturalKey(item view, names []string) string {
	found := ""
	for _, m := range item.members() {
		stem, isID := strings.CutSuffix(m.folded, "id")
		if m.folded == "id" || otherIDs.Has(m.folded) && m.folded != "key" || isID && slices.Contains(names, stem) {
			return ""
		}
		isNatural := naturalNames.Has(m.folded) || slices.ContainsFunc(names, func(name string) bool {
			rest, ok := strings.CutPrefix(m.folded, name)
			return ok && naturalNames.Has(rest)
		})
		switch {
		case !isNatural || !canBeKey(m.view.kind()) || len(schema.Values(m.view.k)) > 0:
		case found != "":
			return ""
		default:
			found = m.name
		}
	}
	return found
}

// longerName returns the name of the only scalar property of an item whose words end with the words of a variable, if
// every item has it, or that the words of the variable end with. The shorter of both has two words or is not a word for
// any key. It returns "" if none.
func longerName(variable string, item view) string {
	w, found, required := naming.Words(variable), "", map[string]bool{}
	if item.ok() {
		required = schema.Required(item.k)
	}
	for _, m := range item.members() {
		own := naming.Words(m.name)
		short, long := own, w
		if len(short) > len(long) {
			short, long = long, short
		}
		isAlways := len(own) < len(w) || required[m.name]
		isEnd := isAlways && len(short) > 0 && len(short) < len(long) && slices.Equal(long[len(long)-len(short):], short)
		isOwn := len(short) > 1 || len(short) == 1 && !slices.Contains(keyWords[:likelyKeyWords], short[0]) && len(w) == 1
		switch {
		case !isEnd || !isOwn || !canBeKey(m.view.kind()):
		case found != "":
			return ""
		default:
			found = m.name
		}
	}
	return found
}

func (in *inference) findKey(c *candidate) {
	r := c.resource
	r.Key = &Key{Kind: schema.String}
	var all, items []*operation // that concern the resource, and to whose path the key belongs
	for _, o := range in.about[r] {
		all = append(all, o)
		if o.binding.KeyIn == InPath {
			items = append(items, o)
		}
	}
	matches := make([]keyMatch, len(items))
	for i, o := range items {
		matches[i] = in.matchKey(o, o.binding.Variable, c.value, c.names)
	}
	var named *operation // whose variable names the key
	var found keyMatch
	if at := commonKey(matches); at >= 0 {
		named, found = items[at], matches[at]
	}
	for _, o := range all {
		if o.override.has("key") {
			found = keyMatch{c.nesting.flatPath(o.override.path("key")), 1, "override"}
		}
	}
	if found.path == nil {
		found = in.keyOfCreation(c, all, named)
	}
	r.Key.Property = found.path
	switch {
	case found.path != nil:
		v := c.value.at(found.path)
		if !v.ok() {
			for _, body := range createdBodies(c, all) {
				if v = body.at(found.path); v.ok() {
					break
				}
			}
		}
		r.Key.describe(v)
		r.Key.evidence = Evidence{"key", found.rule, found.score, strings.Join(found.path, ".")}
	case named != nil:
		if p := named.pathParameter(named.binding.Variable); p != nil {
			r.Key.describe(in.cache.parameter(p))
		}
	}
	r.Key.ChosenBy = keyChooser(c, all)
	for i, o := range items { // other properties by which items are found
		if m := matches[i]; m.score >= 0.9 && !slices.Equal(m.path, r.Key.Property) {
			o.binding.Lookup = m.path
		}
	}
}

func (k *Key) describe(v view) { k.Kind, k.Format, k.Schema = v.kind(), v.format(), v.k }

// commonKey returns the index of the match with the property that most operations have, of those that match
// about as well as the best; -1 if none. Names that end in id are preferred.
func commonKey(matches []keyMatch) int {
	best := 0.0
	uses := map[string]int{}
	for _, m := range matches {
		uses[strings.Join(m.path, "/")]++
		best = max(best, m.score)
	}
	at, most := -1, 0
	for i, m := range matches {
		n := 2 * uses[strings.Join(m.path, "/")]
		if len(m.path) > 0 && strings.HasSuffix(naming.Fold(m.path[len(m.path)-1]), "id") {
			n++
		}
		if m.score >= best-0.1 && n > most {
			at, most = i, n
		}
	}
	return at
}

// keyOfCreation finds the key if the items that are shown have none: in what
// creations send or answer, or, if no path names items, the item's id.
func (in *inference) keyOfCreation(c *candidate, operations []*operation, named *operation) keyMatch {
	if named != nil {
		for _, body := range createdBodies(c, operations) {
			if m := in.matchKey(named, named.binding.Variable, body, c.names); m.score >= 0.7 {
				return m
			}
		}
		return keyMatch{}
	}
	if m := pathlessKey(c.value, c.names); m.path != nil {
		return m
	}
	for _, o := range operations {
		if b := o.binding; b.Role == Create && b.Request != nil {
			return pathlessKey(o.request.of(b.Request.Value), c.names)
		}
	}
	return keyMatch{}
}

func createdBodies(c *candidate, operations []*operation) []view {
	var all []view
	for _, o := range operations {
		if o.binding.Role != Create {
			continue
		}
		for _, body := range []view{o.answer, o.request} {
			if s := findItem(body, c.names, view{}); s != nil {
				all = append(all, body.of(s.Value))
			}
		}
	}
	return all
}

// pathlessKey returns the property that is an id by its name alone: id, plantId.
func pathlessKey(v view, names []string) keyMatch {
	for _, m := range v.members() {
		stem, isID := strings.CutSuffix(m.folded, "id")
		if m.view.kind() == schema.Object || m.view.kind() == schema.Array {
			continue
		}
		if m.folded == "id" || m.folded == "uuid" || m.folded == "sid" || isID && slices.Contains(names, stem) {
			return keyMatch{[]string{m.name}, 1, "id by its name"}
		}
	}
	return keyMatch{}
}

func keyChooser(c *candidate, operations []*operation) Chooser {
	r := c.resource
	chooser, creations := Server, 0
	for _, o := range operations {
		b := o.binding
		if b.Role != Create {
			continue
		}
		creations++
		if r.Key.Property == nil || b.Request == nil || b.Request.Value == nil {
			continue
		}
		property := r.Key.Property
		for from, to := range b.Rename {
			if len(property) == 1 && property[0] == to {
				property = []string{from}
			}
		}
		sent := o.request.of(b.Request.Value)
		v := sent.at(property)
		switch {
		case !v.ok() || schema.ReadOnly(v.k) || schema.ReadOnly(c.value.at(r.Key.Property).k):
		case len(property) == 1 && schema.Required(sent.k)[property[0]]:
			chooser = Client
		case chooser == Server:
			chooser = Either
		}
	}
	if creations == 0 && r.Has(Upsert) {
		return Client
	}
	return chooser
}
