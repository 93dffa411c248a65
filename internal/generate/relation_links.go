package generate

import (
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/words"
)

// linkRelations make addresses of a thing lead to it by its key.
func linkRelations() []relation {
	links := strings.Join(words.Members.With("link"), " ")
	keys := strings.Join(words.Members.With("identifier"), " ")
	return []relation{
		{find: objectOfKey, apply: (*members).nameObject},
		{parts: []string{links, keys}, apply: func(m *members) {
			if link, ok := m.linkTo(m.text(0), m.value(1)); ok {
				m.set(0, link)
			}
		}},
		{parts: []string{"links", keys}, apply: func(m *members) {
			switch links := m.value(0).(type) {
			case map[string]any:
				if link, ok := m.selfLink(links["self"]); ok {
					m.set(0, jsonvalue.WithMember(links, "self", link))
				}
			case []any:
				m.linkSelf(links)
			}
		}},
	}
}

// objectOfKey finds the property that is the object whose key the i-th has: assignee of assignee_id.
func objectOfKey(p *objectPlan, i int) [][]int {
	own := p.named[i].words
	if last := len(own) - 1; last > 0 && own[last] == "id" {
		if j, ok := p.places[strings.Join(own[:last], "")]; ok {
			return [][]int{{i, j}}
		}
	}
	return nil
}

// nameObject makes a key and the object that it names have the same key.
func (m *members) nameObject() {
	object, _ := m.value(1).(map[string]any)
	id, has := object["id"]
	switch {
	case object == nil && m.has(1) && m.value(1) == nil:
		m.clear(0)
	case has && !m.isSent(0):
		m.set(0, id)
	case has && m.value(0) != nil:
		m.set(1, jsonvalue.WithMember(object, "id", m.value(0)))
	}
}

// selfLink returns a link to the item, which is a text or has one as its href, with the item's key in it.
func (m *members) selfLink(link any) (any, bool) {
	switch link := link.(type) {
	case string:
		return m.linkTo(link, m.value(1))
	case map[string]any:
		if href, ok := m.selfLink(link["href"]); ok && link["href"] != nil {
			return jsonvalue.WithMember(link, "href", href), true
		}
	}
	return nil, false
}

// linkSelf makes the first of a list of links, as [{"rel": "self", "href": …}], lead to the item if none does.
func (m *members) linkSelf(links []any) {
	isSelf := func(link any) bool {
		object, _ := link.(map[string]any)
		return object["rel"] == "self"
	}
	at := max(0, slices.IndexFunc(links, isSelf))
	if len(links) == 0 {
		return
	}
	object, _ := links[at].(map[string]any)
	if href, ok := m.selfLink(object["href"]); ok && object["rel"] != nil {
		own := jsonvalue.WithMember(jsonvalue.WithMember(object, "href", href), "rel", "self")
		if own["method"] != nil {
			own["method"] = "GET"
		}
		changed := slices.Clone(links)
		changed[at] = own
		m.set(0, changed)
	}
}

// ownPages begins generated addresses of pages.
const ownPages = "https://example.com/"

// linkTo returns a link whose last segment is the key; false if it has the key already or cannot be changed.
func (m *members) linkTo(link string, id any) (string, bool) {
	key, ok := linkKey(id)
	_, rest, isAbsolute := strings.Cut(link, "://")
	if !ok || !isAbsolute && !strings.HasPrefix(link, "/") || strings.ContainsAny(link, "{}?#") {
		return "", false
	}
	at := strings.LastIndexByte(link, '/')
	switch {
	case strings.HasPrefix(link, ownPages):
		own := m.sh.object.pages + key
		return own, own != link
	case strings.Contains(link, key):
		return "", false
	case strings.Contains(rest, "/") || !isAbsolute:
		return link[:at+1] + key, true
	}
	return link + "/" + key, true
}

func linkKey(id any) (string, bool) {
	key, ok := jsonvalue.Text(id)
	return key, ok && key != "" && !strings.ContainsAny(key, " /?#%")
}
