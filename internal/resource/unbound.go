package resource

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/auth"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/naming"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
)

// Unbound is what a request can say without effect: a query parameter, a value of one that sorts, a property of the
// body, or all of a request that should change something.
type Unbound struct {
	In    string // exchange.InQuery, exchange.InBody, or exchange.InRequest for the operation itself
	Name  string // of the parameter or the property; "" for the operation itself
	Value string // the value that has no effect, if others have one; "" for all values
}

// Note says what is not simulated, and with which line of coldframe.yaml it would be.
func (b *Binding) Note(u Unbound) exchange.Note {
	n := exchange.Note{In: u.In, Name: u.Name}
	key, value := "", "PROPERTY"
	switch {
	case u.In == exchange.InRequest:
		n.Code, n.Message, key, value = "unbound-action", "nothing is known that it changes", "sets", ""
	case u.In == exchange.InBody:
		n.Code, n.Message, key = "unbound-property", "no answer shows it", "takes"
	case u.Value != "":
		n.Code = "unbound-value"
		n.Message, key = "no property is named by `"+u.Value+"`; not applied", "sort"
		u.Name = u.Value
	case b.List != nil:
		n.Code, n.Message, key = "unbound-parameter", "no property fits it; not applied", "filter"
	default:
		n.Code, n.Message = "unbound-parameter", "the answer does not depend on it"
		if b.Resource != nil && !isSafe(b.Operation.Method) && b.Role != Delete && b.Role != DeleteMany {
			key = "takes"
		}
	}
	if name := b.Resource.name(); name != "" && key != "" && key != "sets" {
		n.Message = strings.Replace(n.Message, "no property", "no property of "+name, 1)
	}
	switch {
	case key == "" || key == "takes" && b.Resource == nil:
	case key == "sets" && b.KeyIn == Nowhere:
		n.Setting = settingOf(b.Operation, "role: ROLE")
	case key == "sets":
		n.Setting = settingOf(b.Operation, "sets: PROPERTY=VALUE")
	default:
		n.Setting = settingOf(b.Operation, key+": {"+yamlKey(u.Name)+": "+value+"}")
	}
	return n
}

func settingOf(o *spec.Operation, what string) string {
	return o.Method + " " + o.Path + ": {" + what + "}"
}

var plainKey = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_.-]*$`)

// yamlKey returns a key of a flow mapping.
func yamlKey(name string) string {
	if plainKey.MatchString(name) {
		return name
	}
	return strconv.Quote(name)
}

// findUnbound finds what the operations' requests can say without effect.
func (in *inference) findUnbound() {
	for _, o := range in.operations {
		if o.Method == "HEAD" || o.override.off {
			continue
		}
		b, login := o.binding, in.logins[o]
		b.Unbound = append(b.Unbound, in.unboundParameters(o, login)...)
		b.Unbound = append(b.Unbound, in.unboundBody(o, login)...)
	}
}

// choosesEvents reports whether a query parameter of a stream of events is named like a property of items, which have
// its values, or resumes the stream.
func (in *inference) choosesEvents(o *operation, p *spec.Parameter) bool {
	success := o.binding.Success
	if success == nil || !slices.ContainsFunc(success.Content, (*spec.MediaType).IsEvents) {
		return false
	}
	isProperty := func(c *candidate) bool {
		return slices.ContainsFunc(c.value.members(), func(m member) bool {
			return naming.SingularName(m.name) == naming.SingularName(p.Name) && comparable(in.cache.parameter(p), m.view)
		})
	}
	return naming.Fold(p.Name) == "lasteventid" || slices.ContainsFunc(in.order, isProperty)
}

func (in *inference) unboundParameters(o *operation, login *Login) (all []Unbound) {
	b := o.binding
	for _, p := range o.Parameters {
		v := in.cache.parameter(p)
		switch {
		case p.In != exchange.InQuery || login != nil && login.InQuery || hasOneValue(v) || isCredential(o.Operation, p):
		case b.KeyIn == InQuery && b.Variable == p.Name, b.Fields != "" && b.Fields == p.Name:
		case b.Role == DeleteMany && b.KeyIn == Nowhere && b.Resource.property(p.Name) != nil:
		case b.KeyQuery == p.Name, b.Takes[p.Name] != "", b.Rename[p.Name] != "":
		case b.isFilterOf(p.Name), in.choosesEvents(o, p), len(b.Kinds) > 0 && b.Kinds[0].Property == p.Name:
		case b.List == nil:
			if !answersPicture(o) {
				all = append(all, Unbound{In: p.In, Name: p.Name})
			}
		default:
			all = append(all, unboundInList(b.List, p, v)...)
		}
	}
	return all
}

// unboundInList returns what a parameter of a list does not do: anything, or for some of the values that the document
// lists.
func unboundInList(l *Listing, p *spec.Parameter, v view) (all []Unbound) {
	i := slices.IndexFunc(l.Params, func(bound Param) bool { return bound.Parameter == p })
	if i < 0 {
		return []Unbound{{In: p.In, Name: p.Name}}
	}
	if l.Params[i].Role == Sort {
		values := enum(v)
		l.Params[i].Listed = len(values) > 0
		for _, value := range values {
			if !l.Order.Knows(value) {
				all = append(all, Unbound{p.In, p.Name, value})
			}
		}
	}
	return all
}

// Knows reports whether a value of a sort parameter says an order, in all its parts.
func (o *Order) Knows(text string) bool {
	if _, named := o.named[text]; named {
		return true
	}
	for part := range strings.SplitSeq(text, ",") {
		part = strings.TrimLeft(strings.TrimSpace(part), "+-")
		if _, known := o.byName[part]; known {
			continue
		}
		if up, down := o.Read(part, false), o.Read(part, true); up.isZero() && down.isZero() {
			return false
		}
	}
	return true
}

// hasOneValue reports whether all requests send the same value.
func hasOneValue(v view) bool {
	k := v.plain().k
	return k != nil && (k.Const != nil || k.Enum != nil && len(k.Enum.Values) == 1)
}

func isCredential(o *spec.Operation, p *spec.Parameter) bool {
	return slices.ContainsFunc(o.Security, func(r spec.Requirement) bool {
		return slices.ContainsFunc(r, func(n spec.Need) bool { return n.Scheme.In == p.In && n.Scheme.Name == p.Name })
	})
}

// answersPicture reports whether an operation answers a picture, whose size a query may say.
func answersPicture(o *operation) bool {
	success := o.binding.Success
	return success != nil &&
		slices.ContainsFunc(success.Content, func(m *spec.MediaType) bool { return m.Type == "image" })
}

// changesNothing reports whether a request that should change something changes nothing that is kept.
func changesNothing(o *operation, login *Login) bool {
	b := o.binding
	isFile := o.Body != nil && !slices.ContainsFunc(o.Body.Content, func(m *spec.MediaType) bool { return m.IsJSON() })
	return login == nil && (b.Role == Action || b.Role == Unknown) && !isSafe(o.Method) && !isFile && b.Exports == nil &&
		len(b.Sets) == 0 && len(b.Computes) == 0 && len(b.Takes) == 0 && b.Part == nil && b.Bulk == nil
}

func isSafe(method string) bool {
	return slices.Contains([]string{"GET", "HEAD", "QUERY", "OPTIONS", "TRACE"}, method)
}

// unboundBody returns the properties of a body that no answer shows, or the operation itself if it has no effect at
// all.
func (in *inference) unboundBody(o *operation, login *Login) (all []Unbound) {
	b := o.binding
	if login != nil && login.Act != SignUp || isSafe(o.Method) {
		return nil
	}
	known := in.shownBy(o)
	sendsFiles := o.Body != nil && slices.ContainsFunc(o.Body.Content, (*spec.MediaType).CarriesFile)
	sent := sentMembers(o)
	if changesNothing(o, login) {
		shows := slices.ContainsFunc(sent, func(m member) bool { return known.has(m.name) })
		if o.Method == "POST" && (shows || NamesCreation(o.Operation)) {
			return nil // it is answered with what was sent
		}
		return []Unbound{{In: exchange.InRequest}}
	}
	if b.Bulk != nil && b.Request != nil || b.Part != nil && b.Part.From == "" {
		return nil
	}
	for _, m := range sent {
		switch {
		case hasOneValue(m.view) || m.view.ok() && schema.WriteOnly(m.view.k) || auth.IsSecretName(m.name) ||
			m.view.format() == "password" || sendsFiles && isFile(m.view):
		case login != nil && login.reads(m.name), b.namesInBody(m.name), known.has(m.name):
		case identityNames.Has(m.folded): // it identifies what is kept
		default:
			all = append(all, Unbound{In: exchange.InBody, Name: m.name})
		}
	}
	return all
}

// isFile reports whether a part of a form may be a file.
func isFile(v view) bool {
	return v.format() == "binary" || v.format() == "byte" || v.node("contentMediaType").Get("contentMediaType") != nil ||
		v.kind() == schema.AnyType
}

// reads reports whether a login reads a property of the body.
func (l *Login) reads(name string) bool {
	paths := append(slices.Clip(l.Identifiers), l.Secret, l.NewSecret, l.Code, l.Ticket, l.RefreshToken, l.Token, l.Scope)
	return slices.ContainsFunc(paths, func(path []string) bool { return len(path) > 0 && path[0] == name })
}

// namesInBody reports whether the body names items, or their new values, by a property.
func (b *Binding) namesInBody(name string) bool {
	bulk := b.Bulk
	isComputed := slices.ContainsFunc(b.Computes, func(f Formula) bool { return strings.Contains(f.Text, name) })
	asks := func(p Param) bool { return p.Parameter.Name == name }
	return b.List != nil && slices.ContainsFunc(b.List.Body, asks) || b.Takes[name] != "" || b.Rename[name] != "" ||
		isComputed || len(b.Keys) > 0 && b.Keys[0] == name || slices.Contains(b.KeyPath, name) ||
		bulk != nil && (bulk.Keys == name || bulk.Changes == name) || b.Part != nil && b.Part.From == name
}

// sentMembers returns the properties of the item that a request has, or of its body.
func sentMembers(o *operation) []member {
	sent := o.request
	if r := o.binding.Request; r != nil && r.Value != nil {
		sent = o.request.of(r.Value)
	}
	if sent.kind() == schema.Array {
		sent = sent.element()
	}
	return sent.members()
}

// shownNames are the answer to an operation, and the items that it concerns.
type shownNames []view

func (in *inference) shownBy(o *operation) shownNames {
	shown := shownNames{o.answer}
	if c := in.candidateOf(o); c != nil && o.binding.Resource != nil {
		shown = append(shown, c.final().value, c.value, c.listed)
	}
	return shown
}

// has reports whether one of them shows a property of a name, or the object that it refers to: assignee of assigneeId.
func (s shownNames) has(name string) bool {
	names := []string{naming.Fold(name)}
	if w := naming.Words(name); len(w) > 1 && referring.Has(w[len(w)-1]) {
		stem := strings.Join(w[:len(w)-1], "")
		names = append(names, stem, stem+"s", naming.Singular(stem))
	}
	return slices.ContainsFunc(s, func(v view) bool {
		shown := v.shown()
		return slices.ContainsFunc(names, func(name string) bool { return shown[name] })
	})
}

// shown returns the folded names of the properties of a value and of the values in it.
func (v view) shown() map[string]bool {
	if v.k == nil {
		return nil
	}
	return lookup(v.cache.shown, v.k, func() map[string]bool {
		names, seen := map[string]bool{}, map[*spec.Keywords]bool{}
		level := []view{v}
		for range deepestShown {
			var next []view
			for _, v := range level {
				if v.kind() == schema.Array {
					v = v.element()
				}
				at := v.plain().k
				if at == nil || seen[at] {
					continue
				}
				seen[at] = true
				for _, m := range v.members() {
					names[m.folded] = true
					next = append(next, m.view)
				}
			}
			level = next
		}
		return names
	})
}

const deepestShown = 5 // objects in each other whose properties count as shown

// NotSimulated returns what requests can say without effect, a line for each; "" if there is nothing.
func (p *Plan) NotSimulated() string {
	rows := [][]string{{"NOT SIMULATED", "WHAT", "WHY", "BOUND BY"}}
	for _, b := range p.Bindings {
		for _, u := range b.Unbound {
			n := b.Note(u)
			what := exchange.Finding{In: n.In, Name: n.Name}.Where()
			operation := b.Operation.Method + " " + b.Operation.Path
			rows = append(rows, []string{operation, what, n.Message, strings.TrimPrefix(n.Setting, operation+": ")})
		}
	}
	if len(rows) == 1 {
		return ""
	}
	var b strings.Builder
	writeTable(&b, rows, []int{44, 24, 60, 0})
	return b.String()
}
