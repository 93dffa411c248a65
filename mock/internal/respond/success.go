package respond

import (
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/spec"
)

// success gives the status of an answer when all is well: that of
// resource.Success, else the lowest that is documented.
func success(o *spec.Operation) (int, *spec.Response) {
	status, response := resource.Success(o)
	if response != nil {
		return status, response
	}
	for _, r := range o.Responses {
		if first, _ := r.Code(); first >= 200 {
			return first, r
		}
	}
	return 200, nil
}

// prevailing gives the error body that more than half of the operations have;
// nil where there is none.
func prevailing(c *spec.Contract) *spec.MediaType {
	type use struct {
		media *spec.MediaType
		last  *spec.Operation // that was counted
		count int
	}
	uses := map[string]*use{} // by the place of the schema
	for _, o := range c.Operations {
		for _, r := range o.Responses {
			if first, count := r.Code(); count > 0 && first < 400 {
				continue
			}
			for _, media := range r.Content {
				if media.Schema == nil || !media.IsJSON() {
					continue
				}
				name := media.Schema.Keywords.Location
				if ref := media.Schema.Keywords.Ref; ref != nil {
					name = ref.Location
				}
				u := uses[name]
				if u == nil {
					u = &use{media: media}
					uses[name] = u
				}
				if u.last != o {
					u.last = o
					u.count++
				}
			}
		}
	}
	var best *use
	for _, u := range uses {
		if best == nil || u.count > best.count || u.count == best.count && u.media.Place.Pointer < best.media.Place.Pointer {
			best = u
		}
	}
	if best == nil || 2*best.count <= len(c.Operations) {
		return nil
	}
	return best.media
}
