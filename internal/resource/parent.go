package resource

import (
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/naming"
)

// parentKeyEndings end the names of properties that hold a parent's key.
var parentKeyEndings = []string{"id", "uuid", "sid", "key", "slug", "name"}

// parentProperty finds the property of an item that holds the value of a
// variable before its key: owner ↔ ownerId, owner.id. names are those of the
// parent.
func parentProperty(variable string, names []string, item view) []string {
	folded := naming.Fold(variable)
	if folded != "id" && folded != "name" && folded != "key" {
		if m := scalarMember(item, folded); m != nil {
			return []string{m.name}
		}
	}
	for _, stem := range append([]string{strings.TrimSuffix(folded, "id")}, names...) {
		if stem == "" {
			continue
		}
		if m := scalarMember(item, stem, parentKeyEndings...); m != nil {
			return []string{m.name}
		}
		for _, m := range item.members() {
			if m.folded != stem {
				continue
			}
			if m.view.kind().isScalar() {
				return []string{m.name}
			}
			if m.view.kind() != Object {
				continue
			}
			if inner := matchProperty(variable, view{}, m.view, append(slices.Clone(names), stem)); inner.score >= 0.7 {
				return append([]string{m.name}, inner.path...)
			}
		}
	}
	return nil
}

// scalarMember gives the first scalar property that has the name, with one of
// the endings where there are any.
func scalarMember(item view, name string, endings ...string) *member {
	members := item.members()
	for i := range members {
		m := &members[i]
		ending, ok := strings.CutPrefix(m.folded, name)
		if ok && m.view.kind().isScalar() && (ending == "" && endings == nil || slices.Contains(endings, ending)) {
			return m
		}
	}
	return nil
}

// parentKey gives the property that holds the key of a resource's parent, nil
// for none.
func parentKey(r *Resource) []string {
	if r.ParentProperty != nil || r.Parent == nil {
		return r.ParentProperty
	}
	for _, b := range r.Bindings {
		for _, v := range b.Scope {
			if v.Parent == r.Parent && v.Property != nil {
				return v.Property
			}
		}
	}
	return nil
}

// isScoped reports whether the variables before the key are needed to tell a
// resource's items apart.
func isScoped(r *Resource) bool {
	hasScope := func(b *Binding) bool { return len(b.Scope) > 0 }
	if r.Singleton {
		return slices.ContainsFunc(r.Bindings, hasScope)
	}
	items := slices.DeleteFunc(slices.Clone(r.Bindings), func(b *Binding) bool { return b.KeyIn != InPath })
	if len(items) == 0 {
		items = r.Bindings
	}
	return !slices.ContainsFunc(items, func(b *Binding) bool { return len(b.Scope) == 0 })
}

// timeNames are properties that hold the time of an item's creation and of its
// last change, and versionNames those that change with the item.
var (
	createdNames = naming.Set(`createdat created createdate createddate createdon creationdate createtime creationtime createdtime datecreated
insertedat createddateutc timecreated createdtimestamp creationtimestamp datecreatedutc createdutc addedat`)
	updatedNames = naming.Set(`updatedat updated updatedate updateddate updatedon modifiedat modified modifieddate lastmodified lastupdated
lastupdatedat lastmodifiedat updatetime updatedtime dateupdated datemodified modifiedon lastmodifieddate lastupdate updateddateutc
lastmodifiedtime changedat modificationdate lastmodifieddateutc modifiedtime`)
	versionNames = naming.Set(`version revision etag resourceversion`)
)

// timestamps finds the properties that hold the times of an item's creation and
// last change, and its version.
func timestamps(item view) (created, updated, version string) {
	for _, m := range item.members() {
		kind := m.view.kind()
		if !kind.isScalar() {
			continue
		}
		switch format := m.view.format(); {
		case created == "" && createdNames[m.folded] && canBeTime(kind, format):
			created = m.name
		case updated == "" && updatedNames[m.folded] && canBeTime(kind, format):
			updated = m.name
		case version == "" && versionNames[m.folded] && m.view.readOnly():
			version = m.name
		}
	}
	return created, updated, version
}

func canBeTime(kind Kind, format string) bool {
	return kind != String || format == "" || format == "date-time" || format == "date"
}
