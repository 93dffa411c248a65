package control

import "github.com/coldframe/coldframe/internal/jsontext"

// state lists what is kept, by the path it was created under, oldest first.
func (h *Handler) state(c *call) Answer {
	view, err := h.shown(c)
	if err != nil {
		return problem(400, err.Error())
	}
	var collections []string
	bodies := map[string][]byte{}
	for item := range view.All() {
		text, known := bodies[item.Collection]
		if !known {
			collections = append(collections, item.Collection)
		} else {
			text = append(text, ',')
		}
		bodies[item.Collection] = append(text, item.JSON...)
	}
	body := append([]byte(`{"items":`), jsontext.Append(nil, view.Total())...)
	body = append(body, `,"collections":{`...)
	for i, name := range collections {
		if i > 0 {
			body = append(body, ',')
		}
		body = append(jsontext.AppendString(body, name), ':', '[')
		body = append(append(body, bodies[name]...), ']')
	}
	return written("application/json", append(body, "}}"...))
}

func (h *Handler) clearState(c *call) Answer {
	kept, err := h.kept(c)
	if err != nil {
		return problem(400, err.Error())
	}
	kept.ClearAll()
	return noContent()
}
