// Package resources answers requests about the items that an API keeps: it creates,
// reads, lists, changes and deletes them in the state of a session.
package resources

import (
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/generate"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/sums"
	"github.com/coldframe/coldframe/mock/internal/recent"
	"github.com/coldframe/coldframe/mock/internal/respond"
)

// Options say how the items of a document are kept.
type Options struct {
	Generate      generate.Options
	Seed          uint64
	Dynamic       bool  // values are fresh, and times are read from Clock
	RefuseUnknown bool  // an item that nobody created is missing; else it is generated from its key
	Strict        bool  // a change that breaks the item's schema is refused
	SeedItems     int   // generated items that each collection begins with
	Stateless     bool  // nothing is kept
	FirstKey      int64 // the first integer key that is made; default 1
	Clock         func() time.Time
	ByClock       bool          // times are read from Clock, even if values are not fresh
	URL           func() string // where the server answers
	Share         int           // bytes for items as lists show them
	StoreFull     func()        // called for an item that is larger than the whole store
}

// Set is the resources of one document, compiled: immutable and safe for concurrent use.
type Set struct {
	Resources  []*resource.Resource
	options    Options
	responder  *respond.Responder
	runtimes   map[*resource.Resource]*Runtime
	nested     []*Runtime // of them, those with a Nesting
	operations map[*spec.Operation]*Operation
	own        map[*spec.Operation]*Operation      // on the user who is logged in
	signUps    map[*spec.Operation]*Operation      // that create users
	initial    *recent.Cache[string, *initialList] // below parents, by what their paths name
	shown      *recent.Cache[shownItem, *writtenItem]
	streams    sync.Map   // *spec.MediaType → *eventStream
	sorting    sync.Mutex // held while a list is sorted: what it is sorted by takes memory
}

// Runtime is a resource with what keeping its items needs.
type Runtime struct {
	*resource.Resource
	plan       *resource.Plan
	Item       *spec.Schema                // as responses show it; nil if the document describes none
	properties map[string]*schema.Keywords // of Item
	fullName   *spec.Parameter             // whose property has the key with the parents: wings/north
	linkable   []string                    // properties that may be, or have, links that lead to the item
	linksFit   bool                        // an item that conforms still does with links, see insert
	related    map[string]relation         // to other items
	below      map[string]string           // of such links by relation: what stands behind the item's path
	fileBelow  string                      // what stands behind the item's path if it is read as a file; "" for nothing
	generator  generator                   // of Item
	keys       generator                   // of keys; nil if the document does not describe them
	creates    bool                        // clients can create items
	firstKey   int64                       // of Options
	operations map[*resource.Binding]*Operation
	views      map[*schema.Keywords]*itemView
	counters   func() map[string]string              // properties that count the elements of others
	spans      func() map[string]string              // the ends of times by their starts
	sums       func() *sums.Plan                     // amounts of items that follow from others
	counts     []count                               // what other items say of these
	counted    map[string]bool                       // properties that say something of items that clients create
	children   []child                               // whose items go with these
	referrers  []child                               // whose items name these
	embeds     []embedding                           // what its items show of others
	embeddedIn []child                               // whose items show a part of these
	begun      []string                              // properties with times that a new item has
	changed    []string                              // flags that an item was changed: edited
	times      func() map[string]func(time.Time) any // how they, Created and Updated write times
	stateTimes func() []resource.StateTime           // nil if none
	secrets    map[string]bool                       // properties that are never kept: passwords of users

	reader    *resource.Binding // shows the item that a path names; nil if nothing does
	named     *resource.Binding // reader, or the first that names an item in its path; nil if nothing does
	keySchema *spec.Schema      // of keys in named's path; nil if it allows any
	pathKeys  generator         // of keySchema; nil if that is
}

// Operation is what one operation does to the items of a resource.
type Operation struct {
	*resource.Binding
	runtime    *Runtime
	makes      *Operation   // the creation that an action leads to; nil if none
	kinds      []*Operation // the lists of each type of items that a list of several shows; nil for one type
	source     *Operation   // the change of the item that a creation takes from; nil if none
	request    *requestItem // nil if a request says nothing of the item
	responses  map[*spec.MediaType]*itemInBody
	elements   *itemView                                // of a list
	element    *schema.Keywords                         // see elementOf
	undecided  atomic.Bool                              // conforming items do not prove that their list conforms
	hasSums    func() bool                              // sums may change a body
	around     func() any                               // a body around items, generated once
	sums       func(body map[string]any) map[string]any // with the amounts that follow from the items
	keyHeaders map[*spec.Response][]string              // that show the key of the item, see compileKeyHeaders
	pageSize   int                                      // items on a page of a list that asks for none; 0 for all
	file       fileRole
	initial    atomic.Pointer[initialList] // of a list without parents

	included   func() *inclusion      // of items related to the operation's; nil if its bodies have none
	objects    func() respond.Objects // that requests say by a scalar; nil if they say nothing of the item
	references func() references      // of its items to others; nil if requests cannot change any
	isPartial  func() bool            // see sendsPart

	// variables maps each variable that the paths of items have before the key to the operation's name; nil
	// where the operation lacks one. extra are variables that the paths of items do not have.
	variables map[string]string
	extra     []resource.Variable
}

type itemInBody struct {
	*resource.Shape
	view *itemView
}

type generator = func() *generate.Generator

func generatorOf(s *spec.Schema, o generate.Options) generator {
	return sync.OnceValue(func() *generate.Generator { return generate.New(s, o) })
}

const minConfidence = 0.4

// Compile finds the resources whose items can be seen. A resource that is only ever written is not kept. It passes
// what operations say of items, kept or not, to the responder.
func Compile(plan *resource.Plan, responder *respond.Responder, o Options) *Set {
	s := &Set{
		Resources: plan.Resources, options: o, responder: responder,
		runtimes: map[*resource.Resource]*Runtime{}, operations: map[*spec.Operation]*Operation{},
		own: map[*spec.Operation]*Operation{}, signUps: map[*spec.Operation]*Operation{},
		shown:   recent.New[shownItem, *writtenItem](o.Share),
		initial: recent.New[string, *initialList](maxInitialBytes),
	}
	for _, r := range plan.Resources {
		if !o.Stateless && (isKept(r) || showsUser(plan, r) || plan.Lists(r)) {
			k := newRuntime(r, plan, o)
			s.runtimes[r] = k
			if r.Nesting != nil {
				s.nested = append(s.nested, k)
			}
		}
	}
	for _, b := range plan.Bindings {
		responder.Operation(b.Operation).Codes = b.Errors
		if b.Confidence < minConfidence && !b.Declared {
			continue
		}
		responder.Operation(b.Operation).About = b
		switch b.Role {
		case resource.List, resource.Create, resource.Read, resource.Replace, resource.Update, resource.Upsert:
			responder.Operation(b.Operation).Item = b
		}
		k := s.runtimes[b.Resource]
		if k == nil || b.Role == resource.Unknown {
			continue
		}
		op := k.operations[b]
		if len(b.Kinds) > 0 {
			op = s.listOfKinds(b, o)
		}
		if b.Role == resource.Replace && !op.describesItem() { // a file's part, say: it demands the item, and shows it
			acting := *b
			acting.Role, acting.Reads, acting.Request = resource.Action, b.Response != nil, nil
			op = k.newOperation(&acting, o)
		}
		if made := b.Makes; made != nil && s.runtimes[made.Resource] != nil {
			target := s.runtimes[made.Resource]
			op.makes, target.creates = target.newOperation(made, o), true
		}
		if b.Source != nil && s.runtimes[b.Source.Resource] != nil {
			op.source = s.runtimes[b.Source.Resource].newOperation(b.Source, o)
		}
		s.operations[b.Operation] = op
		creates := b.Role == resource.Action && b.Bulk == nil && b.KeyIn != resource.InPath && !op.changesItem() &&
			resource.NamesCreation(b.Operation)
		responder.Operation(b.Operation).Kept = !creates // such an action is answered as a creation that nothing keeps
	}
	s.findCounts()
	s.compileKeyHeaders()
	s.findFiles()
	s.compileUsers(plan)
	if o.Generate.ImageURLs {
		for _, k := range s.runtimes {
			s.compileLinks(k, plan)
		}
	}
	return s
}

// Runtime returns a resource's, nil if its items are not kept.
func (s *Set) Runtime(r *resource.Resource) *Runtime { return s.runtimes[r] }

// Operation returns what an operation does to items, nil for nothing.
func (s *Set) Operation(o *spec.Operation) *Operation { return s.operations[o] }

// Operation returns what one of the resource's operations does.
func (k *Runtime) Operation(b *resource.Binding) *Operation { return k.operations[b] }

func (k *Runtime) first(fits func(*resource.Binding) bool) *resource.Binding {
	if i := slices.IndexFunc(k.Bindings, fits); i >= 0 {
		return k.Bindings[i]
	}
	return nil
}

func newRuntime(r *resource.Resource, plan *resource.Plan, o Options) *Runtime {
	k := &Runtime{
		Resource: r, plan: plan, firstKey: max(o.FirstKey, 1), secrets: map[string]bool{}, counted: map[string]bool{},
		operations: map[*resource.Binding]*Operation{}, views: map[*schema.Keywords]*itemView{},
	}
	k.creates = r.Has(resource.Create) || r.Has(resource.Upsert)
	k.reader = k.first(func(b *resource.Binding) bool {
		return b.Role == resource.Read && canBeSeen(b) && (namesItem(b) || r.Singleton && b.Lookup == nil)
	})
	if k.named = k.reader; k.named == nil {
		k.named = k.first(namesItem)
	}
	if k.keySchema = keySchemaOf(k.named); k.keySchema != nil {
		k.pathKeys = generatorOf(k.keySchema, generate.Options{})
	}
	if r.Item != nil && r.Value != nil {
		k.Item = respond.Part(r.Item, r.Value)
		k.properties = k.Item.Members()
		for _, name := range generate.Begun(maps.Keys(k.properties)) {
			switch isFlag := schema.CertainTypes(k.properties[name]) == schema.Boolean; {
			case isFlag:
				k.changed = append(k.changed, name)
			case !r.IsSetByAction(name):
				k.begun = append(k.begun, name)
			}
		}
		if r.Begun != "" && !slices.Contains(k.begun, r.Begun) {
			k.begun = append(k.begun, r.Begun)
		}
		all := o.Generate
		all.Fill = "all"
		k.generator = generatorOf(k.Item, all)
		if r.Key != nil && r.Key.Schema != nil {
			k.keys = generatorOf(respond.Part(r.Item, r.Key.Schema), generate.Options{})
		}
	}
	k.spans = sync.OnceValue(func() map[string]string { return generate.Spans(k.properties) })
	k.counters = sync.OnceValue(func() map[string]string { return generate.Counters(k.properties) })
	k.sums = sync.OnceValue(k.compileSums)
	k.times = sync.OnceValue(func() map[string]func(time.Time) any { return timesOf(k) })
	k.stateTimes = sync.OnceValue(r.StateTimes)
	for _, b := range r.Bindings {
		k.operations[b] = k.newOperation(b, o)
	}
	return k
}

func namesItem(b *resource.Binding) bool { return b.KeyIn == resource.InPath && b.Lookup == nil }

func canBeSeen(b *resource.Binding) bool {
	return b.Media != nil && (b.Role == resource.Read && b.Response != nil || b.Role == resource.List && b.List != nil)
}

// isKept reports whether items can be seen, or created if they can be changed, or refused because they exist.
func isKept(r *resource.Resource) bool {
	located, changed := false, false
	for _, b := range r.Bindings {
		shows := b.Media != nil && b.Response != nil
		switch b.Role {
		case resource.Create, resource.Upsert:
			located = located || shows || b.KeyIn == resource.InPath || b.Headers.Location != ""
			changed = changed || shows && b.Role == resource.Upsert
			chosen := r.Key != nil && r.Key.ChosenBy != resource.Server
			if b.Operation.DocumentsExactly(409) && (chosen || len(b.Taken) > 0) {
				return true
			}
		case resource.Update, resource.Replace, resource.Delete:
			changed = true
		}
	}
	isFile := func(b *resource.Binding) bool {
		return namesItem(b) && fileRoleOf(b.Operation, b.Success) == downloads
	}
	return located && (changed || slices.ContainsFunc(r.Bindings, isFile)) || slices.ContainsFunc(r.Bindings, canBeSeen)
}

func keySchemaOf(b *resource.Binding) *spec.Schema {
	if b == nil {
		return nil
	}
	for _, p := range b.Operation.Parameters {
		if p.In == exchange.InPath && p.Name == b.Variable {
			return p.Schema
		}
	}
	return nil
}

func (k *Runtime) newOperation(b *resource.Binding, o Options) *Operation {
	op := &Operation{Binding: b, runtime: k, responses: map[*spec.MediaType]*itemInBody{}}
	op.variables, op.extra = k.variablesOf(b)
	op.isPartial = sync.OnceValue(op.sendsPart)
	op.included = sync.OnceValue(func() *inclusion { return inclusionOf(op) })
	if b.Media != nil && b.Media.Schema != nil {
		if b.Response != nil {
			op.responses[b.Media] = &itemInBody{b.Response, k.view(b.Media.Schema, b.Response.Value, o)}
		}
		if b.List != nil {
			op.pageSize = pageSize(b)
			op.elements = k.view(b.Media.Schema, b.List.Items.Value, o)
			op.element = op.elementOf()
		}
		bodies, key := generatorOf(b.Media.Schema, o.Generate), generate.NewKey(o.Seed, b.Operation.ID, "around")
		op.around = sync.OnceValue(func() any {
			body, _ := bodies().Value(key)
			return body
		})
		op.sums = func(body map[string]any) map[string]any {
			return bodies().Sums(key, body, map[string]any{op.List.Items.Path[0]: nil})
		}
		op.hasSums = sync.OnceValue(func() bool { return bodies().HasSums() })
		op.findOtherResponses(o)
	}
	all := o.Generate
	all.Fill = "all"
	if len(b.Takes)+len(b.Sets) > 0 {
		op.references = sync.OnceValue(op.findReferences)
	}
	if len(b.Takes) > 0 && k.Item != nil {
		op.objects = sync.OnceValue(func() respond.Objects {
			return respond.NewObjects(k.Item, k.properties, op.taken(), all)
		})
	}
	if b.Request != nil && b.Operation.Body != nil || b.Role == resource.Create && b.Operation.Body == nil {
		op.request = k.requestItem(b)
		op.references = sync.OnceValue(op.findReferences)
		if k.Item != nil {
			op.objects = sync.OnceValue(func() respond.Objects {
				return respond.NewObjects(k.Item, k.properties, op.request.sendable, all)
			})
		}
	}
	return op
}

// findOtherResponses finds the item in the other answers that have it at the same place: 201 beside 200.
func (op *Operation) findOtherResponses(o Options) {
	if op.Response == nil || op.Response.Many || len(op.Response.Path) == 0 {
		return
	}
	for _, r := range op.Binding.Operation.Responses {
		for _, media := range r.Content {
			first, _ := r.Code()
			if first < 200 || first > 299 || media == op.Media || !media.IsJSON() || media.Schema == nil {
				continue
			}
			if at := schema.At(media.Schema.Keywords, op.Response.Path); at != nil {
				if shape := op.Response.At(at); shape != nil {
					op.responses[media] = &itemInBody{shape, op.runtime.view(media.Schema, shape.Value, o)}
				}
			}
		}
	}
}

func (op *Operation) describesItem() bool {
	if op.request == nil {
		return false
	}
	describes := len(op.request.sendable) == 0 || len(op.runtime.properties) == 0
	for name := range op.request.sendable {
		describes = describes || op.runtime.properties[name] != nil
	}
	return describes
}

// declares reports whether the schema of an item, or one by which it is sent, lists a property.
func (k *Runtime) declares(name string) bool {
	if k.properties[name] != nil {
		return true
	}
	for _, op := range k.operations {
		if op.request.sends(name) {
			return true
		}
	}
	return false
}

func (k *Runtime) readOnly(name string) bool {
	return slices.ContainsFunc(k.Properties, func(p resource.Property) bool { return p.Name == name && p.ReadOnly })
}
