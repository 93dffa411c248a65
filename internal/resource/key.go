package resource

import (
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/naming"
)

// keyWords end the names of variables and properties that tell things apart,
// the likeliest first.
var keyWords = []string{"id", "uuid", "guid", "uid", "sid", "key", "slug", "login", "name", "username", "handle", "code", "number", "no", "num",
	"identifier", "reference", "ref", "token", "email", "hash", "sha", "symbol", "index", "hostname", "path", "filename", "identity", "version"}

// matchKey finds the property of an item that a path's variable names. names
// are those that the resource goes by, in the singular.
func matchKey(o *operation, variable string, item view, names []string) (path []string, score float64) {
	if !item.ok() {
		return nil, 0
	}
	var of view
	if p := o.parameter(exchange.InPath, variable); p != nil {
		of = item.known.parameter(p)
	}
	path, score = matchIn(variable, of, item, names)
	if score < 0.5 {
		for _, m := range item.members() {
			switch m.folded {
			case "metadata", "attributes", "meta", "properties", "spec", "info":
				if m.view.kind() != Object {
					continue
				}
				if inner, s := matchIn(variable, of, m.view, names); s*0.9 > score && s >= 0.7 {
					path, score = append([]string{m.name}, inner...), s*0.9
				}
			}
		}
	}
	if score < 0.35 {
		return nil, 0
	}
	return path, score
}

func matchIn(variable string, of, item view, names []string) (path []string, best float64) {
	for _, m := range item.members() {
		kind := m.view.kind()
		if kind == Object || kind == Array || kind == Boolean {
			continue
		}
		s := keyScore(variable, m.name, names)
		switch want := of.kind(); {
		case want == Integer && kind == String, want == Number && kind == String:
			s *= 0.7
		case want == String && (kind == Integer || kind == Number):
			s *= 0.75
		}
		if f := of.format(); f == "uuid" && m.view.format() != f && !(kind == String && strings.HasSuffix(m.folded, "id")) {
			s *= 0.6
		}
		if s > best {
			path, best = []string{m.name}, s
		}
	}
	return path, best
}

// keyScore says how likely a variable names a property.
func keyScore(variable, property string, names []string) float64 {
	v, p := naming.Fold(variable), naming.Fold(property)
	last := func(name string) string {
		w := naming.Words(name)
		if len(w) == 0 {
			return ""
		}
		return w[len(w)-1]
	}
	named := func(prefix, suffix string) bool {
		return slices.ContainsFunc(names, func(n string) bool { return prefix == n+suffix })
	}
	rank := slices.Index(keyWords, p)
	switch {
	case v == p:
		return 1
	case v == "username" && p == "name":
		return 0.6
	case rank >= 0 && named(v, p): // plantId ↔ id
		return 0.97
	case (v == "id" || v == "key" || v == "identifier") && named(p, "id"): // id ↔ plantId
		return 0.92
	case named(v, "id") && (p == "uuid" || p == "guid" || p == "uid" || p == "sid" || p == "key"):
		return 0.8
	case v == "id" && (p == "uuid" || p == "guid" || p == "uid" || p == "sid" || p == "key"):
		return 0.8
	case v == "username" && p == "login", v == "login" && p == "username":
		return 0.9
	case v == "identifier" && p == "id":
		return 0.85
	case named(v, "") && named(p, "id"): // plant ↔ plantId
		return 0.8
	case named(v, "") && rank >= 0 && rank < 12: // plant ↔ id, name
		return 0.82 - 0.01*float64(rank)
	case rank >= 0 && last(variable) == p: // petStoreId ↔ id
		return 0.75
	case strings.Contains(v, "idor") && p == "id":
		return 0.75
	case p == "id":
		return 0.4
	}
	return 0
}

// parentProperty finds the property of an item that holds the value of a
// variable before its key: owner ↔ ownerId.
func parentProperty(variable string, parent []string, item view) []string {
	v := naming.Fold(variable)
	members := item.members()
	scalar := func(m member) bool { k := m.view.kind(); return k != Object && k != Array && k != Boolean }
	stems := append([]string{strings.TrimSuffix(v, "id")}, parent...)
	for _, m := range members {
		if p := m.folded; scalar(m) && p == v && p != "id" && p != "name" && p != "key" {
			return []string{m.name}
		}
	}
	for _, stem := range stems {
		if stem == "" {
			continue
		}
		for _, m := range members {
			p := m.folded
			if scalar(m) && (p == stem+"id" || p == stem+"uuid" || p == stem+"sid" || p == stem+"key" || p == stem+"slug" || p == stem+"name") {
				return []string{m.name}
			}
		}
		for _, m := range members {
			if m.folded != stem {
				continue
			}
			if scalar(m) {
				return []string{m.name}
			}
			if m.view.kind() == Object {
				if path, score := matchIn(variable, view{}, m.view, append(parent, stem)); score >= 0.7 {
					return append([]string{m.name}, path...)
				}
			}
		}
	}
	return nil
}

// timestamps finds the properties that hold the times of an item's making and
// last change, and its version.
func timestamps(item view) (created, updated, version string) {
	for _, m := range item.members() {
		kind := m.view.kind()
		if kind == Object || kind == Array || kind == Boolean {
			continue
		}
		timed := kind == Integer || kind == Number || m.view.format() == "date-time" || m.view.format() == "date" || m.view.format() == "" || kind == Any
		switch f := m.folded; {
		case created == "" && timed && createdWords[f]:
			created = m.name
		case updated == "" && timed && updatedWords[f]:
			updated = m.name
		case version == "" && m.view.readOnly() && (f == "version" || f == "revision" || f == "etag" || f == "resourceversion"):
			version = m.name
		}
	}
	return created, updated, version
}

var (
	createdWords = naming.Set(`createdat created createdate createddate createdon creationdate createtime creationtime createdtime datecreated insertedat
createddateutc timecreated createdtimestamp creationtimestamp datecreatedutc createdutc addedat`)
	updatedWords = naming.Set(`updatedat updated updatedate updateddate updatedon modifiedat modified modifieddate lastmodified lastupdated lastupdatedat lastmodifiedat
updatetime updatedtime dateupdated datemodified modifiedon lastmodifieddate lastupdate updateddateutc lastmodifiedtime changedat modificationdate lastmodifieddateutc modifiedtime`)
)
