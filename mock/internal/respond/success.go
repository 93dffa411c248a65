package respond

import (
	"strconv"

	"github.com/coldframe/coldframe/internal/spec"
)

// success gives the status of an answer when all is well: the lowest
// documented 2xx, exact before 2XX before default; a creation prefers 201.
func success(o *spec.Operation) (int, *spec.Response) {
	var exact, inRange, fallback, lowest *spec.Response
	creates := o.Method == "POST" || o.Method == "PUT"
	for _, r := range o.Responses {
		first, count := r.Code()
		switch {
		case count == 1 && first/100 == 2:
			if exact == nil || creates && r.Status == "201" {
				exact = r
			}
		case count == 100 && first == 200:
			inRange = r
		case r.Status == "default":
			fallback = r
		}
		if lowest == nil && first >= 200 {
			lowest = r
		}
	}
	switch {
	case exact != nil:
		status, _ := strconv.Atoi(exact.Status)
		return status, exact
	case inRange != nil:
		return 200, inRange
	case fallback != nil:
		return 200, fallback
	case lowest != nil: // nothing says how success looks: the lowest that is documented
		status, _ := lowest.Code()
		return status, lowest
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
