package control

import (
	"cmp"
	"errors"
	"net/http"
	"slices"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/mock/client"
	"github.com/coldframe/coldframe/mock/internal/resources"
	"github.com/coldframe/coldframe/mock/internal/state"
)

const (
	// maxSchemas limits the schemas in the list of collections, in bytes.
	maxSchemas = 1 << 20
	// maxChanges is how many exchanges that changed an item are named, the last.
	maxChanges = 20
)

// viewOf returns the items of the session that a request chooses; the initial items if it does not exist yet.
func (h *Handler) viewOf(c *call) (*state.View, error) {
	name := h.sessionIn(c)
	if s := h.Sessions.Lookup(name); s != nil {
		return s.State.View(), nil
	} else if err := state.CheckName(name); err != nil {
		return nil, &Failure{Status: 400, Detail: err.Error()}
	}
	return h.Sessions.Base(), nil
}

// sessionIn returns the session of a request, by its query or its fields.
func (h *Handler) sessionIn(c *call) string {
	if name := c.session(); name != nil {
		return *name
	}
	return h.SessionOf(c.request.Header)
}

func getItems(h *Handler, c *call) (any, error) {
	view, err := h.viewOf(c)
	if err != nil {
		return nil, err
	}
	items := h.Served().Items
	if _, one := c.Query["collection"]; one {
		return h.listItems(c, items, view)
	}
	list, left := []client.Collection{}, maxSchemas
	for _, found := range items.Collections(view) {
		described := client.Collection{Collection: found.Name, Template: found.Template, Count: found.Count}
		if found.Item != nil && left > 0 {
			described.Schema = found.Item.Inline()
			left -= len(described.Schema)
		}
		list = append(list, described)
	}
	return map[string]any{"collections": list}, nil
}

func (h *Handler) listItems(c *call, items *resources.Set, view *state.View) (any, error) {
	found, err := collectionIn(items, view, c)
	if err != nil {
		return nil, err
	}
	list := client.Items{Collection: found.Name, Total: found.Count, Items: []client.Item{}}
	if found.Item != nil {
		list.Schema = found.Item.Inline()
	}
	made := h.writesIn(h.sessionIn(c), found.Name)
	for _, item := range view.List(found.Name, integer(c.Query["offset"], 0), integer(c.Query["limit"], defaultLimit)) {
		shown := client.Item{Key: item.Key, Value: h.BodyOf(item)}
		shown.MadeBy, shown.ChangedBy = authors(made[item.Key], item.Version)
		list.Items = append(list.Items, shown)
	}
	return list, nil
}

func collectionIn(items *resources.Set, view *state.View, c *call) (*resources.Collection, error) {
	found, ok := items.Collection(view, c.query("collection"))
	if !ok {
		detail := "the mock keeps no collection " + exchange.Quote(exchange.Shorten(found.Name, 200)) +
			"; GET " + Prefix + "items lists those that it keeps"
		return nil, &Failure{Status: 404, Detail: detail}
	}
	return found, nil
}

// write is what an exchange did to an item.
type write struct {
	state.Write
	number uint64
}

// writesIn returns what the exchanges of the journal did to the items of a collection, by their keys.
func (h *Handler) writesIn(session, collection string) map[string][]write {
	if session == state.Default {
		session = ""
	}
	all := map[string][]write{}
	entries, _ := h.Served().Journal.Entries()
	for _, e := range entries {
		for _, w := range e.Writes {
			if e.Session == session && w.Collection == collection {
				all[w.Key] = append(all[w.Key], write{w, e.Number})
			}
		}
	}
	return all
}

// authors returns the exchange that created an item and the last ones that changed it. A reset or a restored snapshot
// removed writes whose version is later than the item's.
func authors(writes []write, version uint64) (madeBy uint64, changedBy []uint64) {
	slices.SortStableFunc(writes, func(a, b write) int { return cmp.Compare(a.Version, b.Version) })
	for _, w := range writes {
		switch {
		case w.Version > version:
		case w.Kind == state.Created:
			madeBy, changedBy = w.number, nil
		case w.Kind == state.Changed:
			changedBy = append(changedBy, w.number)
		default:
			madeBy, changedBy = 0, nil
		}
	}
	return madeBy, changedBy[max(0, len(changedBy)-maxChanges):]
}

func createItem(h *Handler, c *call) (any, error) {
	item, err := h.editItem(c, "")
	if item == nil {
		return validated(err)
	}
	a := written("application/json", marshal(client.Item{Key: item.Key, Value: h.BodyOf(item)}))
	a.Status = http.StatusCreated
	return a, nil
}

func putItem(h *Handler, c *call) (any, error) {
	item, err := h.editItem(c, c.query("key"))
	if item == nil {
		return validated(err)
	}
	return client.Item{Key: item.Key, Value: h.BodyOf(item)}, nil
}

func deleteItem(h *Handler, c *call) (any, error) {
	_, err := h.editItem(c, c.query("key"))
	return nil, err
}

// validated answers a request that only validates.
func validated(err error) (any, error) {
	if err != nil {
		return nil, err
	}
	return map[string]any{"findings": []exchange.Finding{}}, nil
}

// editItem changes an item of the session that a request chooses, which it creates if necessary. It returns no item if
// the request only validates.
func (h *Handler) editItem(c *call, key string) (*state.Item, error) {
	s, _, err := h.Sessions.Get(h.sessionIn(c))
	if err != nil {
		return nil, &Failure{Status: 400, Detail: err.Error()}
	}
	items := h.Served().Items
	found, err := collectionIn(items, s.State.View(), c)
	if err != nil {
		return nil, err
	}
	e := resources.Edit{Collection: found, Key: key, Try: c.query("validate") == "only"}
	e.Value, _ = c.Body().(map[string]any)
	item, findings, err := items.Edit(s.State, c.request.Work, e)
	switch {
	case len(findings) > 0:
		return nil, invalid(http.StatusUnprocessableEntity, findings...)
	case errors.Is(err, resources.ErrNoItem):
		return nil, &Failure{Status: http.StatusNotFound, Detail: found.Name + " has no item " +
			exchange.Quote(exchange.Shorten(key, 200))}
	case errors.Is(err, state.ErrTooLarge):
		return nil, &Failure{Status: http.StatusRequestEntityTooLarge, Detail: err.Error() + " (option max-state)"}
	case err != nil:
		return nil, &Failure{Status: http.StatusConflict, Detail: err.Error()}
	case e.Try:
		return nil, nil
	}
	return item, nil
}
