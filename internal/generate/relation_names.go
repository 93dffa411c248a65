package generate

import (
	"slices"
	"strings"
	"unicode"

	"github.com/coldframe/coldframe/internal/fields"
	"github.com/coldframe/coldframe/internal/formats"
	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/naming"
)

const (
	firstNames = "firstname givenname forename"
	lastNames  = "lastname familyname surname"
	fullNames  = "fullname displayname realname name customername contactname"
	emailNames = "email emailaddress mail primaryemail contactemail"
	loginNames = "login username loginname nickname screenname userhandle handle"
)

// personRelations make what names one person agree. What is nearest to the person's names comes first.
var personRelations = []relation{
	{parts: []string{fullNames, firstNames, lastNames}, apply: func(m *members) {
		first, last, full := m.text(1), m.text(2), m.text(0)
		switch {
		case first == "" || last == "" || strings.Contains(full, first) && strings.Contains(full, last):
		case m.isSent(0) && !m.isSent(1) && !m.isSent(2) && strings.Count(full, " ") == 1:
			first, last, _ = strings.Cut(full, " ")
			m.set(1, first)
			m.set(2, last)
		case full != "":
			m.set(0, first+" "+last)
		}
	}},
	{parts: []string{emailNames, firstNames, lastNames}, apply: func(m *members) {
		m.setEmail(m.text(1), m.text(2))
	}},
	{parts: []string{emailNames, "fullname realname displayname name", "?" + firstNames, "?" + lastNames}, apply: func(m *members) {
		if first, last, ok := strings.Cut(m.text(1), " "); ok && !m.has(2) && !m.has(3) && (m.isSent(1) || m.sh.object.about.HasAddress()) {
			m.setEmail(first, last[strings.LastIndexByte(last, ' ')+1:])
		}
	}},
	{parts: []string{"name", lastNames, "?" + firstNames}, apply: func(m *members) {
		if first, _, ok := strings.Cut(m.text(0), " "); ok && !m.has(2) && m.text(1) != "" {
			if m.sh.object.about.IsPerson() {
				m.set(0, first) // {nombre, apellidos}, {name, surname}
			}
		}
	}},
	{parts: []string{loginNames, firstNames, lastNames}, apply: func(m *members) { m.setLogin(m.text(1), m.text(2)) }},
	{parts: []string{loginNames, "fullname realname displayname name", "?" + firstNames}, apply: func(m *members) {
		if first, last, ok := strings.Cut(m.text(1), " "); ok && !m.has(2) && strings.Contains(m.text(0), "@") {
			m.setEmail(first, last[strings.LastIndexByte(last, ' ')+1:])
		}
	}},
	{parts: []string{loginNames, "fullname realname displayname name", emailNames, "?" + firstNames}, apply: func(m *members) {
		if first, last, ok := strings.Cut(m.text(1), " "); ok && !m.has(3) {
			m.setLogin(first, last)
		}
	}},
}

// setEmail makes the address of part 0 from a name, at the domain that it has.
func (m *members) setEmail(first, last string) {
	local, domain, ok := strings.Cut(m.text(0), "@")
	first, last = formats.LocalPart(first), formats.LocalPart(last)
	if !ok || first == "" || last == "" || strings.Contains(strings.ToLower(local), last) {
		return
	}
	m.set(0, first+"."+last+"@"+domain)
}

// setLogin makes the name by which a person logs in.
func (m *members) setLogin(first, last string) {
	login := formats.LocalPart(m.text(0))
	first, last = formats.LocalPart(first), formats.LocalPart(last)
	isTheirs := strings.Contains(login, first) || strings.Contains(login, last) || strings.Contains(m.text(0), "@")
	if first == "" || last == "" || isTheirs {
		return
	}
	digits := formats.Letters(m.r.fake.Seed(uint64(m.at.key.at(37))), 2, formats.Digits)
	m.set(0, first+last[:1]+digits, first+last[:1], first)
}

const (
	linkNames = "url href self selflink selfurl selfuri htmlurl weburl apiurl uri link permalink resourceurl " +
		"canonicalurl detailurl publicurl shareurl viewurl editurl"
	idNames = "id uuid uid guid sid accountid key"
)

// nameRelations make slugs, paths, currencies and addresses from what they stand for.
var nameRelations = []relation{
	{parts: []string{"slug permalinkslug urlslug urlkey", "name title displayname label headline"}, apply: func(m *members) {
		if slug := slugOf(m.text(1)); slug != "" && !strings.Contains(m.text(0), strings.SplitN(slug, "-", 2)[0]) {
			m.set(0, slug)
		}
	}},
	{parts: []string{"fullname", "name", "owner namespace organization workspace"}, apply: setOwnedName},
	{parts: []string{"currency currencycode", "country countrycode countryiso isocountry"}, answer: true, apply: func(m *members) {
		if currency := fields.Currency(m.text(1)); currency != "" {
			m.set(0, currency)
		}
	}},
	{parts: []string{linkNames, idNames}, apply: func(m *members) {
		if link, ok := m.linkTo(m.text(0), m.value(1)); ok {
			m.set(0, link)
		}
	}},
	{sublinks: true, apply: func(m *members) {
		if link, ok := m.linkBelow(m.text(0), m.value(1), m.plan(0).below); ok {
			m.set(0, link)
		}
	}},
	{parts: []string{"links _links", idNames}, apply: func(m *members) {
		switch links := m.value(0).(type) {
		case map[string]any:
			for _, name := range sorted(links) {
				if link, ok := m.related(links[name], name); ok && m.set(0, jsonvalue.WithMember(links, name, link)) {
					links, _ = m.value(0).(map[string]any)
				}
			}
		case []any:
			m.linkSelf(links)
		}
	}},
}

// pageLinks are relations of links that lead to pages of a list, and to the schema of what they are in.
var pageLinks = naming.LazySet("next prev previous first last up start end")

// related returns a link of an item, which is a text or has one as its href, with the item's key in it.
func (m *members) related(link any, relation string) (any, bool) {
	switch link := link.(type) {
	case string:
		switch {
		case relation == "self":
			return m.linkTo(link, m.value(1))
		case pageLinks.Has(relation):
			return nil, false
		}
		return m.linkBelow(link, m.value(1), strings.ToLower(relation))
	case map[string]any:
		if href, ok := m.related(link["href"], relation); ok && link["href"] != nil {
			return jsonvalue.WithMember(link, "href", href), true
		}
	}
	return nil, false
}

// linkSelf has the first of a list of links, as [{"rel": "self", "href": …}], lead to the item where none does.
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
	if href, ok := m.related(object["href"], "self"); ok && object["rel"] != nil {
		own := jsonvalue.WithMember(jsonvalue.WithMember(object, "href", href), "rel", "self")
		if own["method"] != nil {
			own["method"] = "GET"
		}
		changed := slices.Clone(links)
		changed[at] = own
		m.set(0, changed)
	}
}

func slugOf(name string) string {
	isOther := func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') }
	words := strings.FieldsFunc(strings.ToLower(name), isOther)
	return strings.Join(words, "-")
}

// setOwnedName makes a name such as "octocat/hello-world" of the owner's name and the thing's own, which has no spaces.
func setOwnedName(m *members) {
	owner, name := m.text(2), m.text(1)
	if object, ok := m.value(2).(map[string]any); ok {
		for _, by := range []string{"login", "username", "slug", "handle", "path", "name"} {
			if owner, _ = object[by].(string); owner != "" {
				break
			}
		}
	}
	if owner == "" || name == "" || m.text(0) == owner+"/"+name {
		return
	}
	if strings.ContainsFunc(name, unicode.IsSpace) && m.set(1, slugOf(name)) {
		name = m.text(1)
	}
	m.set(0, owner+"/"+name)
}

// ownPages is where generated addresses of pages begin.
const ownPages = "https://example.com/"

// linkTo returns a link whose last segment is the key, false if it has the key already or is none that can be changed.
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

// linkBelow returns a generated link to what the item has under a name. These links take 3 % of a creation of 20 kB,
// and took 10 where their words were found each time (BenchmarkLargeAnswer).
func (m *members) linkBelow(link string, id any, name string) (string, bool) {
	key, ok := linkKey(id)
	if !ok || !strings.HasPrefix(link, ownPages) {
		return "", false
	}
	return m.sh.object.pages + key + "/" + name, true
}

// subLink reports whether words name a link to what an item has many of: comments_url.
func subLink(words []string) bool {
	n := len(words) - 1
	if n < 1 || !slices.Contains([]string{"url", "uri", "href", "link"}, words[n]) {
		return false
	}
	return naming.IsPlural(words[n-1]) && pictureHint(strings.Join(words, "_")) == nil
}
