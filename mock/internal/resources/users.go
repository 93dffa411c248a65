package resources

import (
	"maps"
	"slices"
	"strconv"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/naming"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/mock/internal/state"
)

// showsUser reports whether the items of a resource are users of which an operation shows the one who is logged in.
func showsUser(plan *resource.Plan, r *resource.Resource) bool {
	return slices.ContainsFunc(plan.Logins, func(l *resource.Login) bool {
		return l.Users == r && l.Act == resource.CurrentUser && plan.Of(l.Operation).Response != nil
	})
}

// compileUsers finds the operations on the user who is logged in, and what items never keep.
func (s *Set) compileUsers(plan *resource.Plan) {
	for _, l := range plan.Logins {
		k := s.runtimes[l.Users]
		if k == nil {
			continue
		}
		if l.Secret != nil {
			k.secrets[l.Secret[len(l.Secret)-1]] = true
		}
		b := plan.Of(l.Operation)
		if l.Act == resource.SignUp {
			s.signUps[l.Operation] = k.newSignUp(l)
		}
		if l.Act != resource.CurrentUser || b.Response == nil && b.Role != resource.Delete {
			continue
		}
		acting := *b
		acting.Resource, acting.KeyIn, acting.Lookup, acting.Scope = l.Users, resource.Nowhere, nil, nil
		s.own[l.Operation] = k.newOperation(&acting, s.options)
		s.responder.Operation(l.Operation).Kept = true
	}
}

// newSignUp returns the operation that creates a user. What a request lacks has the defaults of its schema.
func (k *Runtime) newSignUp(l *resource.Login) *Operation {
	op := &Operation{Binding: &resource.Binding{Operation: l.Operation, Resource: k.Resource}, runtime: k}
	if l.Operation.Body == nil || l.InQuery {
		return op
	}
	i := slices.IndexFunc(l.Operation.Body.Content, func(m *spec.MediaType) bool { return m.Schema != nil })
	if i < 0 {
		return op
	}
	around := l.Secret[:max(0, len(l.Secret)-1)]
	value := schema.At(l.Operation.Body.Content[i].Schema.Keywords, around)
	if value == nil {
		return op
	}
	described := *op.Binding
	described.Request = &resource.Shape{Path: around, Value: value}
	described.Rename = map[string]string{}
	own := k.namesByFold()
	for name := range schema.Properties(value) {
		if to, has := own[naming.Fold(name)]; has && to != name {
			described.Rename[name] = to
		}
	}
	op.request = k.requestItem(&described)
	return op
}

// withoutSecrets returns an item without passwords, which are kept apart.
func (k *Runtime) withoutSecrets(item map[string]any) map[string]any {
	for name := range k.secrets {
		if _, ok := item[name]; ok {
			item = maps.Clone(item)
			delete(item, name)
		}
	}
	return item
}

// AddUser adds an item to the resource of users, with what the client says of the user; one without a value if that
// keeps no items. The error refuses the request.
func (s *Set) AddUser(q *Request, users *resource.Resource, sent map[string]any) (Item, error) {
	k := s.runtimes[users]
	if k == nil {
		return Item{}, nil
	}
	add := *q
	add.set = s
	if add.op = s.signUps[q.Operation.Operation]; add.op == nil || add.op.runtime != k {
		add.op = &Operation{Binding: &resource.Binding{Operation: q.Operation.Operation, Resource: users}, runtime: k}
	}
	add.collection = "/" + k.Name
	if !k.Singleton {
		return createOne(&add, k.described(sent))
	}
	key := "user-" + strconv.FormatInt(q.Session.NextInteger(add.collection, 1), 10)
	return insert(&add, key, k.described(sent), false)
}

// namesByFold returns the names of the properties of items by their naming.Fold.
func (k *Runtime) namesByFold() map[string]string {
	names := make(map[string]string, len(k.properties))
	for name := range k.properties {
		names[naming.Fold(name)] = name
	}
	return names
}

// described returns the properties that items of the resource have, under their names.
func (k *Runtime) described(sent map[string]any) map[string]any {
	known, item := k.namesByFold(), map[string]any{}
	for name, value := range sent {
		if own, ok := known[naming.Fold(name)]; ok && !k.secrets[name] && allows(k.properties[own], value) {
			item[own] = value
		}
	}
	return item
}

// User returns the item of a user of a session, one without a value if there is none.
func (s *Set) User(in *state.State, users *resource.Resource, key string) Item {
	k := s.runtimes[users]
	if k == nil || key == "" {
		return Item{}
	}
	if item, _ := in.Get("/"+k.Name, key); item != nil {
		return itemOf(item)
	}
	return Item{}
}

// NewestUsers returns the newest items of users, at most so many.
func (s *Set) NewestUsers(in *state.State, users *resource.Resource, most int) (all []map[string]any) {
	k := s.runtimes[users]
	if k == nil {
		return nil
	}
	for item := range in.View().Newest("/"+k.Name, 0) {
		if len(all) == most {
			break
		}
		all = append(all, DecodeItem(item))
	}
	return all
}

// maxUsers is how many users, the newest, are looked at for one of a name.
const maxUsers = 1000

// FindUser returns the item of the user who has a value in a property that names users, one without a value if there
// is none.
func (s *Set) FindUser(in *state.State, work *exchange.Work, users *resource.Resource, name, value string) Item {
	k := s.runtimes[users]
	if k == nil {
		return Item{}
	}
	seen := 0
	for item := range in.View().Newest("/"+k.Name, 0) {
		if seen++; seen > maxUsers || work.Step() {
			break
		}
		user := itemOf(item)
		for property, has := range user.Value {
			if text, ok := jsonvalue.Text(has); ok && text == value && naming.Fold(property) == naming.Fold(name) {
				return user
			}
		}
	}
	return Item{}
}
