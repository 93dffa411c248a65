package cases

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/coldframe/coldframe/internal/generate"
	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/naming"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
)

// naturalKey is a text of a body that should differ from item to item, which the
// schema leaves open.
type naturalKey struct {
	tokens []string // of the JSON Pointer to it
	room   int      // characters that it may have
	email  bool
}

func naturalKeysIn(schemas []*spec.Keywords, tokens []string) []naturalKey {
	all := combined(schemas...)
	depth := len(tokens)
	var found []naturalKey
	if depth > 0 && naming.MayBeNaturalKey(tokens[depth-1]) {
		if room, email := freeLength(all); room > 0 {
			found = append(found, naturalKey{tokens, room, email})
		}
	}
	if depth == maxNaturalKeyDepth {
		return found
	}
	properties := map[string][]*spec.Keywords{}
	for _, k := range all {
		for name, property := range k.Properties {
			properties[name] = append(properties[name], property)
		}
	}
	for name, schemas := range properties {
		found = append(found, naturalKeysIn(schemas, append(slices.Clip(tokens), name))...)
	}
	return found
}

// combined gives schemas with all that they refer to and are put together of.
func combined(schemas ...*spec.Keywords) []*spec.Keywords {
	var all []*spec.Keywords
	for _, root := range schemas {
		for k := range schema.Possible(root) {
			if !slices.Contains(all, k) {
				all = append(all, k)
			}
		}
	}
	return all
}

// freeLength gives the length that a text may have; 0 where the schemas say more of
// it than that.
func freeLength(all []*spec.Keywords) (room int, email bool) {
	room = 1 << 10
	for _, k := range all {
		if k.Enum != nil || k.Const != nil || k.Pattern != nil || k.Not != nil || k.If != nil ||
			k.Format != nil && k.Format.Name != "email" {
			return 0, false
		}
		email = email || k.Format != nil
		if k.MaxLength != nil {
			room = min(room, *k.MaxLength)
		}
	}
	return room, email
}

// distinguish gives natural keys of a value an end that hardly any other key
// gives them; values of have stay as they are. What is changed is a copy.
func (b *body) distinguish(value any, key generate.Key, have map[string]any) any {
	for _, n := range b.naturalKeys {
		at, _ := jsonvalue.At(value, n.tokens)
		text, ok := at.(string)
		if !ok || slices.ContainsFunc(n.tokens, func(name string) bool { _, given := have[name]; return given }) {
			continue
		}
		own := key
		for _, name := range n.tokens {
			own = own.Child(name)
		}
		value, _ = jsonvalue.With(value, n.tokens, n.withSuffix(text, own))
	}
	return value
}

func (n *naturalKey) withSuffix(text string, key generate.Key) string {
	end := strconv.FormatUint(uint64(key), 36)
	end = end[max(0, len(end)-suffixLength):]
	if n.email {
		local, domain, ok := strings.Cut(text, "@")
		if !ok || len(local)+len(end)+1 > 64 || len(text)+len(end)+1 > n.room {
			return text
		}
		return local + "." + end + "@" + domain
	}
	between := "-"
	if strings.Contains(text, " ") {
		between = " "
	}
	if room := n.room - len(end) - 1; utf8.RuneCountInString(text) > room {
		if room < 1 {
			return text
		}
		text = strings.TrimRight(string([]rune(text)[:room]), " ")
	}
	return text + between + end
}
