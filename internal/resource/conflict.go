package resource

import (
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"github.com/coldframe/coldframe/internal/naming"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/words"
)

// Conflict is a state in which an item, or the item that it is below, lets an operation not take place.
type Conflict struct {
	Property, Value string // the state, as text
	OfParent        bool   // it is a state of the item that the path names before the operation's own
	Code            string // the error code of the document that says so
}

// codesDeep is how deep the error codes of a body are looked for.
const codesDeep = 4

// errorCodes returns the texts that enums of a response's body list, each once, in the document's order.
func errorCodes(r *spec.Response) (codes []string) {
	var walk func(s *schema.Shape, depth int)
	walk = func(s *schema.Shape, depth int) {
		if s == nil || depth > codesDeep {
			return
		}
		for _, k := range s.Schemas() {
			for _, value := range schema.Values(k) {
				if text, _ := value.(string); text != "" && !slices.Contains(codes, text) {
					codes = append(codes, text)
				}
			}
		}
		if s.Types()&schema.Array != 0 && s.Types()&schema.Object == 0 {
			walk(s.Items(), depth+1)
			return
		}
		for _, name := range s.Names() {
			walk(s.Property(name), depth+1)
		}
	}
	for _, media := range r.Content {
		if media.Schema != nil {
			walk(media.Schema.Shape(), 0)
		}
	}
	return codes
}

// conflictTerms are the terms of words.Problems that mean a conflict and nothing else, without spaces: inuse, taken.
var conflictTerms = sync.OnceValue(func() map[string]bool {
	terms := map[string]bool{}
	for row := range words.Problems.Rows() {
		if row[1] == strconv.Itoa(conflictStatus) {
			terms[strings.ReplaceAll(row[0], " ", "")] = true
		}
	}
	return terms
})

const conflictStatus = 409

// isConflictTerm reports whether some words make a term that means a conflict and nothing else.
func isConflictTerm(some []string) bool {
	joined := strings.Join(some, "")
	return conflictTerms()[joined] || joined == "conflict" // the phrase of 409, RFC 9110 section 15.5.10
}

// code is an error code without the terms that mean a conflict: [email] of EMAIL_ALREADY_TAKEN.
type code struct {
	text  string
	rest  []string
	terms int // that were left out
}

func readCode(text string) code {
	c := code{text: text}
	own := naming.Words(text)
	for i := 0; i < len(own); {
		switch {
		case i+1 < len(own) && isConflictTerm(own[i:i+2]):
			i += 2
			c.terms++
		case isConflictTerm(own[i : i+1]):
			i++
			c.terms++
		default:
			c.rest = append(c.rest, own[i])
			i++
		}
	}
	return c
}

// withoutType returns the words of a code without the name of a resource's items before them, and whether it was there.
func (c *code) withoutType(r *Resource) ([]string, bool) {
	whole := naming.Words(lastName(r))
	for from := range whole { // pick list of pick-lists, entry of time-entries
		noun := whole[from:]
		if len(c.rest) < len(noun) {
			continue
		}
		same := true
		for i := range noun {
			same = same && naming.Singular(noun[i]) == naming.Singular(c.rest[i])
		}
		if same {
			return c.rest[len(noun):], true
		}
	}
	return c.rest, false
}

// uniqueProperty returns the property of which a code says that its value is taken; "" if none.
func (c *code) uniqueProperty(r *Resource) string {
	if c.terms == 0 {
		return ""
	}
	return c.property(r, slices.Equal)
}

// property returns the property of a resource's items whose name the words of a code match; "" if none.
func (c *code) property(r *Resource, match func(code, name []string) bool) string {
	after, _ := c.withoutType(r)
	for _, own := range [][]string{c.rest, after} {
		for i := range r.Properties {
			p := &r.Properties[i]
			if len(own) > 0 && r.canBeUnique(p) && match(own, naming.Words(p.Name)) {
				return p.Name
			}
		}
	}
	return ""
}

func beginsWith(code, name []string) bool {
	return len(name) > 0 && len(code) >= len(name) && slices.Equal(code[:len(name)], name)
}

// state returns the state of a resource's items that a code names: order_collected, already_cancelled. The code of a
// parent has to name its type.
func (c *code) state(r *Resource, ofParent bool) string {
	_, states := r.States()
	after, hasType := c.withoutType(r)
	if ofParent && !hasType || len(after) == 0 {
		return ""
	}
	joined := strings.Join(after, "")
	for _, state := range states {
		if strings.Join(naming.Words(state), "") == joined {
			return state
		}
	}
	return ""
}

// isOtherConflict reports whether a code explains a conflict of a resource's items that is not about their state: a
// value that is taken, or any conflict.
func (c *code) isOtherConflict(r *Resource) bool {
	if c.terms == 0 {
		return false
	}
	after, _ := c.withoutType(r)
	return len(after) == 0 || c.uniqueProperty(r) != ""
}

// NamesCode reports whether a text has a code as a whole word, as descriptions name them. A code that might be a word
// of a sentence is none.
func NamesCode(text, code string) bool {
	if len(naming.Words(code)) < 2 && strings.ToLower(code) == code {
		return false
	}
	isPart := func(r rune) bool {
		return !strings.ContainsRune("_-.:", r) && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}
	for word := range strings.FieldsFuncSeq(text, isPart) {
		if strings.Trim(word, ".:-") == code {
			return true
		}
	}
	return false
}

// findConflicts finds the states in which items refuse operations: the operation documents a conflict, and its error
// codes name the state.
func (in *inference) findConflicts(plan *Plan) {
	for _, b := range plan.Bindings {
		answer := b.Operation.Response(conflictStatus)
		if b.Resource == nil || answer == nil || answer.Status != strconv.Itoa(conflictStatus) {
			continue
		}
		switch b.Role {
		case Action, Replace, Update, Delete:
			if b.KeyIn == InPath {
				b.Conflicts = conflictsOf(b, b.Resource, answer, false)
			}
		case Create:
			if n := len(b.Scope); n > 0 && b.Scope[n-1].Parent != nil {
				b.Conflicts = conflictsOf(b, b.Scope[n-1].Parent, answer, true)
			}
		}
		if len(b.Conflicts) > 0 {
			saw := conflictsText(b.Conflicts)
			b.Reason += "; refused if " + saw
			b.Evidence = append(b.Evidence, Evidence{"conflict", "error code of a state", 1, saw})
		}
	}
}

// conflictsOf returns the states of a resource's items that refuse an operation: those that the description of the
// conflict names by their codes; else the one that the operation leads to; else the only one that has a code, if no
// other code explains the conflict.
func conflictsOf(b *Binding, r *Resource, answer *spec.Response, ofParent bool) []Conflict {
	codes := stateCodes(r, answer, ofParent)
	if codes == nil {
		return nil
	}
	var named, led []Conflict
	for _, c := range codes {
		if NamesCode(answer.Description, c.Code) {
			named = append(named, c)
		}
		if slices.Contains(b.Sets, Assignment{Property: c.Property, Value: c.Value}) {
			led = append(led, c)
		}
	}
	explained := slices.ContainsFunc(errorCodes(answer), func(text string) bool { // by a code that is not about a state
		c := readCode(text)
		return c.state(r, ofParent) == "" && (c.isOtherConflict(b.Resource) || NamesCode(answer.Description, text))
	})
	switch {
	case len(named) > 0:
		return named
	case len(led) > 0:
		return led
	case len(codes) == 1 && !explained:
		return codes
	}
	return nil
}

// StateCodes returns the states of its items that the error codes of an operation's conflict name. Operations may have
// codes in common, so that some of them may not be for this operation.
func (b *Binding) StateCodes() []Conflict {
	answer := b.Operation.Response(conflictStatus)
	if b.Resource == nil || answer == nil {
		return nil
	}
	return stateCodes(b.Resource, answer, false)
}

// stateCodes returns the states of a resource's items that the error codes of a response name.
func stateCodes(r *Resource, answer *spec.Response, ofParent bool) (all []Conflict) {
	property, _ := r.States()
	if property == "" {
		return nil
	}
	for _, text := range errorCodes(answer) {
		c := readCode(text)
		if state := c.state(r, ofParent); state != "" {
			all = append(all, Conflict{property, state, ofParent, text})
		}
	}
	return all
}

func conflictsText(conflicts []Conflict) string {
	all := make([]string, len(conflicts))
	for i, c := range conflicts {
		all[i] = c.Property + "=" + c.Value
		if c.OfParent {
			all[i] = "the parent's " + all[i]
		}
	}
	return strings.Join(all, " or ")
}
