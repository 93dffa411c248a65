package cases

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/coldframe/coldframe/internal/generate"
	"github.com/coldframe/coldframe/internal/naming"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
)

// naturalKeys is where in a body natural keys stand, that the schema leaves open.
type naturalKeys struct {
	room  int // characters that such a text may have; 0 for no natural key
	email bool
	inner map[string]*naturalKeys
}

// maxNaturalKeyDepth is how deep natural keys are looked for: in {"data": {"name": …}}.
const maxNaturalKeyDepth = 3

// naturalKeysIn finds the natural keys of a schema; nil where there are none.
func naturalKeysIn(schemas []*spec.Keywords, name string, depth int) *naturalKeys {
	all := combined(schemas...)
	found := &naturalKeys{}
	if naming.MayBeNaturalKey(name) {
		found.room, found.email = freeLength(all)
	}
	if depth < maxNaturalKeyDepth {
		properties := map[string][]*spec.Keywords{}
		for _, k := range all {
			for property, schema := range k.Properties {
				properties[property] = append(properties[property], schema)
			}
		}
		for property, schemas := range properties {
			if inner := naturalKeysIn(schemas, property, depth+1); inner != nil {
				if found.inner == nil {
					found.inner = map[string]*naturalKeys{}
				}
				found.inner[property] = inner
			}
		}
	}
	if found.room == 0 && found.inner == nil {
		return nil
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
func (n *naturalKeys) distinguish(value any, key generate.Key, have map[string]any) any {
	if n == nil {
		return value
	}
	switch v := value.(type) {
	case string:
		if n.room > 0 {
			return n.withSuffix(v, key)
		}
	case map[string]any:
		object := maps.Clone(v)
		for name, inner := range n.inner {
			at, there := v[name]
			if _, given := have[name]; there && !given {
				object[name] = inner.distinguish(at, key.Child(name), have)
			}
		}
		return object
	}
	return value
}

// suffixLength is how many characters an end has.
const suffixLength = 5

func (n *naturalKeys) withSuffix(text string, key generate.Key) string {
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
