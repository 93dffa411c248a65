package stateful

import (
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/naming"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
)

// prose is what a document says in words: its sentences, in lower case, with a space at either end.
type prose []string

var sentenceEnds = strings.NewReplacer(". ", "\x00", ".\n", "\x00", "; ", "\x00", "\n\n", "\x00", "\n- ", "\x00")

func proseOf(texts ...string) (all prose) {
	for _, text := range texts {
		for sentence := range strings.SplitSeq(sentenceEnds.Replace(strings.ToLower(text)), "\x00") {
			if words := strings.Fields(strings.TrimSuffix(sentence, ".")); len(words) > 0 {
				all = append(all, " "+strings.Join(words, " ")+" ")
			}
		}
	}
	return all
}

// says reports whether one sentence has a word of each list.
func (p prose) says(lists ...[]string) bool {
	return slices.ContainsFunc(p, func(sentence string) bool {
		for _, words := range lists {
			if !containsAny(sentence, words...) {
				return false
			}
		}
		return true
	})
}

// mentioning returns the sentences that have a name, written as in code or in words.
func (p prose) mentioning(name string) prose {
	return wordsOf(p).mentioning(name)
}

// wording is prose with its sentences once more without marks, in which names are looked for.
type wording struct{ said, plain prose }

func wordsOf(said prose) wording {
	w := wording{said: slices.Clip(said), plain: make(prose, len(said))}
	for i, sentence := range said {
		plain := strings.Map(func(r rune) rune {
			if r == '_' || r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
				return r
			}
			return ' '
		}, sentence)
		w.plain[i] = " " + strings.Join(strings.Fields(plain), " ") + " "
	}
	return w
}

func (w wording) mentioning(name string) (all prose) {
	spoken, written := " "+strings.Join(naming.Words(name), " ")+" ", " "+strings.ToLower(name)+" "
	for i, plain := range w.plain {
		if strings.Contains(plain, spoken) || strings.Contains(plain, written) {
			all = append(all, w.said[i])
		}
	}
	return all
}

// Prose is what a document says in words of everything that it describes. It keeps what was read for each resource:
// each exchange asks for it. It is safe for concurrent use.
type Prose struct {
	texts []string
	read  sync.Map // *resource.Resource → wording
}

// NewProse returns the prose of a document's texts.
func NewProse(texts []string) *Prose { return &Prose{texts: texts} }

// of is what the document says of a resource as a whole, and of everything.
func (p *Prose) of(r *resource.Resource) wording {
	if w, known := p.read.Load(r); known {
		return w.(wording)
	}
	all := append(proseOf(p.texts...), proseOf(describe(r.Value)...)...)
	for _, b := range r.Bindings {
		all = append(all, operationProse(b.Operation)...)
	}
	w := wordsOf(all)
	p.read.Store(r, w)
	return w
}

// The words by which documents say what excuses a backend, or leaves no doubt.
var (
	// reads may show an earlier state for a while
	laggingWords = []string{
		"eventual", "asynchron", "delay", "cached", "caching", "replica", " lag", " stale", "may take",
		"take effect", "takes effect", "background", "queue", "not immediate", "a moment", "a while", "short time",
		"propagat", "out of date", "up to date", "few seconds", "second later", "seconds later", "seconds after",
		"some seconds", "within a second", "within seconds", "catches up", "catch up", "lags", "processed later",
		"applied later", "visible later", "shows up later", "snapshot", "refreshed", "rebuilt",
		"old state", "older state", "earlier state", "previous state", "for a second", "for some seconds", "for up to",
	}
	// a deleted item may go on to exist in some form
	softWords = []string{
		"soft", "archiv", "mark", "trash", " bin", "tombstone", "restor", "recover", "undo", "undelet", "deactivat",
		"disable", "hidden", "flag", "inactive", "purge", "grace", "cancel", "keeps", "kept", "still", "retain",
		"retention", "later", "asynchron", "schedul", "stay", "remain", "deletedat", "deleted_at", "readable",
		"visible", "for a while", "closed", "withdrawn", "retired", "history", "audit",
	}
	// a list leaves items out
	limitedWords = []string{
		"recent", "latest", "active", "published", "visible", " own ", "only", "default", "sample", "window", "hide",
		"hidden", "without", "except", "not shown", "not listed", "leaves out", "left out", "exclud", "unless",
		"draft", "current", "top ", "not include", "not all", "some ", "approved", "moderat", "archived", "suggest",
		"popular", "featured", "starred", "favo", "the caller", " my ", " your ", "subscri", "watched", "assigned",
	}
	// values are not kept as they come
	transformWords = []string{
		"normali", "canonical", "trim", "strip", "lower", "upper", "capital", "case", "nfc", "unicode", "cut",
		"truncat", "shorten", "mask", "hidden", "redact", "blank", "empty", "null", "round", "decimal", "precision",
		"scale", "utc", "zone", "converted", "notation", "sort", "dedup", "duplicate", "unique", "repeated", "order",
		"collaps", "sanitiz", "escape", "encode", "hash", "encrypt", "slug", "abbreviat", "format", "written as",
		"stored as", "kept as", "kept in", "answered as", "answered in", "returned as", "returned in", "shown as",
		"shown in", "without ", "quarter", "nearest", "set back", "half an hour", "whole hour", "full hour",
		"gets a number", "gets a suffix", "number is added", "number is appended", "suffix is added", "suffix is appended",
	}
	// the server decides on a value, at least in part
	serverWords = []string{
		"server", "backend", "service", "comput", "calculat", "deriv", "assign", "generat", "automatic", "increment",
		"count", "increas", "ignored", "overrid", "overwrit", "adjust", "clamp", "limited to", "capped", "depend",
		"changes", "moves", "moved", "each time", "every change", "each change", "every write", "at first",
		"initial", "until", "workflow", "transition", "estimate", "suggest", "hint", "may differ", "may be", "might",
		"replaced by", "set to", "set by", "set when", "updated", "re-", "default", "always", "only", "if ", "when ",
		"unless", "later",
	}
	// a value of one property decides on another
	impliedWords = []string{
		"every", "each", "always", "all ", "impl", "forc", "then", "also", "if ", "when", "only", "require", "must", "set", "is ",
	}
	// a response may show less, or in another way, than the item is
	viewWords = []string{
		"summary", "brief", "short form", "subset", "minimal", "compact", "partial", "fewer", "select", "only the",
		"only its", "expand", "embed", "includ", "view", "projection", "fields", "without", "omit", "not shown",
		"not return", "never", "hidden", "left out", "leaves out",
	}
	// reads of a key show another item
	aliasWords = []string{
		"alias", "redirect", "merged", "successor", "moved", "former", "previous", "latest", "current", "slug",
	}
	// a PUT replaces all of an item
	wholeWords = []string{
		"left out", "omit", "missing", "not sent", "absent", "whole", "entire", "complete", "in full",
		"every property", "all properties", "everything",
	}
	// a PUT leaves alone what it does not have
	partWords    = []string{"keep", "kept", "unchanged", "remain", "stay", "untouched", "preserve", "retain"}
	omittedWords = []string{"left out", "omit", "missing", "not sent", "absent"}
	goneWords    = []string{"gone", "remov", "delet", "reset", "clear", "emptied", "unset", "default"}
	// a change does not show at once, or its response shows the item before it
	heldWords = []string{
		"approv", "moderat", "review", "pending", "until then", "as it was before", "before the change", "prior to",
		"previous", "former", "old represent", "old version", "nothing is kept", "nothing is stored",
		"nothing is saved", "nothing is written", "nothing is created", "not kept", "not stored", "not saved", "discard",
		"dry run", "simulat", "sandbox",
	}
	// a file comes back as it was sent
	asSentWords = []string{"as it was", "unchanged", "original", "byte", "same file", "identical"}
	// a page has at most so many items, or may have others
	mostWords = []string{
		"at most", "the most ", "maximum", "max ", "up to", "no more than", "not more than", "limit", "how many", "number of",
	}
	looseWords = []string{
		"at least", "clamp", "raised", "rounded", "hint", "about", "approx", "minimum page", "smallest",
		"may return more", "advis", "desired", "ignored", "multiple of", "prefer",
	}
	// a number counts all items, only the page's items, or not exactly
	allWords    = []string{" all", "total", "altogether", "overall", "entire", "every", "match", "how many"}
	ofPageWords = []string{"returned", "this page", "the page", "current page", "in the response", "this response"}
	roughWords  = []string{
		"estimat", "approx", "about", "rough", "at least", "up to", "may ", "might", "cached", "delay", "eventual",
		"capped", "at most", "not exact", "deleted", "whatever", "regardless", "irrespective", "independent", "unfiltered",
	}
	// a list has an order, or has none
	orderWords    = []string{" order", "sorted", " first", "ascending", "descending", "chronolog", "alphabetic"}
	ownOrderWords = []string{
		"pinned", "promoted", "featured", "sponsored", "whatever the order", "every order", "any order", "come before",
		"comes before", "regardless", "always first",
	}
	unorderedWords = []string{
		"no order", "any order", "no particular", "unspecified", "undefined", "unordered", "not ordered", "random",
		"not stable", "unstable", "may move", "relevance",
	}
)

// operationProse is what an operation says of itself and of its success, with the descriptions of some
// responses beside.
func operationProse(o *spec.Operation, statuses ...int) prose {
	texts := []string{o.Summary, o.Description}
	for _, r := range o.Responses {
		if code, count := r.Code(); code/100 == 2 || count == 1 && slices.Contains(statuses, code) {
			texts = append(texts, r.Description)
		}
	}
	return proseOf(texts...)
}

// describe returns the descriptions of a schema.
func describe(k *spec.Keywords) (all []string) {
	if k == nil {
		return nil
	}
	for part := range schema.All(k) {
		all = append(all, part.Title, part.Description)
	}
	return all
}

// propertyProse is what the document says of a property: at its schemas, and in sentences that name it.
func propertyProse(t *tester, name string, schemas ...*spec.Keywords) prose {
	return append(schemaProse(t, name, schemas...), t.Prose.of(t.resource).mentioning(name)...)
}

// schemaProse is what a property's schemas say of it.
func schemaProse(t *tester, name string, schemas ...*spec.Keywords) (all prose) {
	for _, k := range append(schemas, schema.Property(t.resource.Value, name)) {
		all = append(all, proseOf(describe(k)...)...)
	}
	return all
}

// siblingProse is what the descriptions of other properties say of a property.
func siblingProse(t *tester, name string) (all prose) {
	for _, p := range t.resource.Properties {
		if p.Name != name {
			all = append(all, proseOf(describe(schema.Property(t.resource.Value, p.Name))...).mentioning(name)...)
		}
	}
	return all
}

// paramProse is what the document says of a parameter.
func paramProse(p *spec.Parameter) prose {
	if p.Schema == nil {
		return proseOf(p.Description)
	}
	return proseOf(append(describe(p.Schema.Keywords), p.Description)...)
}

// mayLag reports whether a read may rightly show an earlier state: the change is only accepted (RFC 9110 section
// 15.3.3), the response is out of a cache (RFC 9111 section 4.2), or the document says so.
func mayLag(t *tester, sent exchanges) bool {
	for _, x := range sent {
		if x.Status() == 202 {
			return true
		}
	}
	if last := sent[len(sent)-1]; last != nil && last.Response != nil && isCached(last.Response.Header) {
		return true
	}
	return t.Prose.of(t.resource).said.says(laggingWords)
}

// isHeldBack reports whether the document says of an operation that what it changes shows later, or that its
// response shows the item before the change.
func isHeldBack(sent exchanges) bool {
	return slices.ContainsFunc(sent, func(x *checks.Exchange) bool {
		isRead := x == nil || x.Request.Method == "GET" || x.Request.Method == "DELETE"
		return !isRead && operationProse(x.Case.Operation).says(heldWords)
	})
}

func isCached(h exchange.Header) bool {
	age, _ := h.Get("Age")
	if n, err := strconv.Atoi(age); err == nil && n > 0 {
		return true
	}
	control, _ := h.Get("Cache-Control")
	control = strings.ToLower(control)
	_, seconds, has := strings.Cut(control, "max-age=")
	return has && !strings.HasPrefix(seconds, "0") && !containsAny(control, "no-cache", "no-store")
}

// deletesSoftly reports whether the document says that a deleted item goes on to exist.
func deletesSoftly(t *tester, b *resource.Binding) bool {
	deletion := []string{"delet", "remov", "archiv", "trash", "tombstone"}
	isMarker := func(p resource.Property) bool {
		return containsAny(naming.Fold(p.Name), "deleted", "archived", "removed", "trashed", "deactivated")
	}
	return operationProse(b.Operation).says(softWords) || t.Prose.of(t.resource).said.says(deletion, softWords) ||
		slices.ContainsFunc(t.resource.Properties, isMarker)
}

// listsAll reports whether nothing in the document says that a list leaves items out: no filter has a default,
// none is required, and no word speaks of it.
func listsAll(t *tester, b *resource.Binding) bool {
	for _, p := range b.Operation.Parameters {
		isPage := slices.ContainsFunc(b.List.Params, func(known resource.Param) bool {
			return known.Parameter == p && known.Role != resource.Filter && known.Role != resource.Search ||
				known.Parameter == p && known.All != nil
		})
		hasDefault := p.Schema != nil && p.Schema.Default(p.Schema.Keywords) != nil
		if p.In == exchange.InQuery && !isPage && (p.Required || hasDefault) {
			return false
		}
	}
	return !operationProse(b.Operation).says(limitedWords)
}

// mayShowLess reports whether a request may ask for a view of an item: it has an optional query parameter, or a
// field that chooses a form. What such a response shows is not compared with what was sent.
func mayShowLess(x *checks.Exchange) bool {
	for _, p := range x.Case.Operation.Parameters {
		switch {
		case p.In == exchange.InQuery && !p.Required && strings.Contains(x.Case.Request.Query, p.Name):
			return true
		case p.In == exchange.InHeader && viewFields.Has(naming.Fold(p.Name)):
			if _, sent := x.Case.Request.Header.Get(p.Name); sent {
				return true
			}
		}
	}
	return false
}

// viewFields are header fields that choose the form of a response.
var viewFields = naming.LazySet(`prefer acceptlanguage xfields fields xexpand expand xinclude xview xprojection
acceptprofile xtimezone timezone xunits acceptcrs`)

// severity returns Error for a certain violation, Warning for an uncertain one.
func severity(isCertain bool) exchange.Severity {
	if isCertain {
		return exchange.Error
	}
	return exchange.Warning
}
