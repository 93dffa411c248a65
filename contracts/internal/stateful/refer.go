package stateful

import (
	"encoding/json"
	"fmt"

	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/internal/resource"
)

// elsewhere gives a reference of the form of another that leads to nothing; nil
// where it has no form that is known.
func elsewhere(reference any) any {
	switch v := reference.(type) {
	case string:
		return moved(v)
	case json.Number:
		return json.Number(moved(v.String()))
	}
	return nil
}

// misled gives an item a reference to nothing, for which creations are refused
// as the document says: what is in the way of a creation is in that of a change.
func (t *tester) misled(name string, other any, refused *checks.Exchange) {
	for _, role := range []resource.Role{resource.Replace, resource.Update} {
		b := t.binding(role)
		if b == nil || b.KeyIn != resource.InPath || len(b.Lookup) > 0 || b.Request == nil || !documents(b.Operation, refused.Status()) {
			continue
		}
		if role == resource.Update && t.patches() == nil {
			continue
		}
		if k := propertiesOf(b.Request)[name]; k == nil || k.ReadOnly || !conforms(k, other) {
			continue
		}
		i := t.create(nil, request{title: "create an item"})
		if i == nil {
			return
		}
		r := request{scope: i.Scope, key: i.Key, title: "change its " + name + " to what refers to nothing", absent: true}
		if role == resource.Update {
			r.body = b.Request.Wrap(map[string]any{name: other})
		} else {
			r.have = t.fixed(i, b)
			r.have[name] = other
		}
		x := t.send(b, r)
		if x == nil || !x.Succeeded() {
			continue
		}
		read := t.read(i, "read what was changed")
		value, _ := t.value(read)
		if is, has := resource.Get(value, []string{name}); has && len(differ(other, is, nil, "")) == 0 {
			t.report("reference", role.String()+" body."+name, fmt.Sprintf("a change that refers to %s, which does not exist, is answered %d, though a creation that does is answered %d", text(other), x.Status(), refused.Status()), refused, x, read)
		}
	}
}
