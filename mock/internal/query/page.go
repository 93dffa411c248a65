package query

import "cmp"

// Page is a part of a list.
type Page struct {
	Total  int // items that the filters select
	Offset int // of the first item shown
	Limit  int // most items on a page; 0 where a page holds all
	Count  int // items shown
	// Beyond is how many pages behind the last one was asked for.
	Beyond int
}

// PageOf says which part of a list of total items a query asks for; size is how
// many items a page has where the query does not say, 0 for all.
func (q *Query) PageOf(total, size int) Page {
	p := Page{Total: total, Limit: size}
	if q.Limit >= 0 {
		p.Limit = q.Limit
	}
	p.Offset = q.Offset
	if q.ByPage {
		p.Offset = largest
		if p.Limit == 0 || q.Page < largest/p.Limit {
			p.Offset = q.Page * p.Limit
		}
		if p.Limit > 0 && p.Offset > total {
			p.Beyond = q.Page - total/p.Limit
		}
	}
	p.Offset = min(p.Offset, total)
	return p.sized(q.Limit == 0)
}

func (p Page) sized(none bool) Page {
	p.Count = p.Total - p.Offset
	if p.Limit > 0 || none {
		p.Count = min(p.Count, p.Limit)
	}
	return p
}

// AtCursor moves a page to where the query's cursor says. index gives the place of an
// item's key, -1 where there is none; it is nil where cursors are no keys.
func (q *Query) AtCursor(p Page, index func(key string) int) Page {
	cursor, at, isKey := cmp.Or(q.After, q.Before), -1, false
	if cursor != "" && index != nil {
		at = index(cursor)
		isKey = at >= 0
	}
	if cursor != "" && !isKey {
		at = offsetOf(cursor)
	}
	switch {
	case at < 0:
		return p
	case q.After != "" && isKey:
		return p.from(at + 1)
	case q.After != "":
		return p.from(at)
	}
	begin := 0
	if p.Limit > 0 {
		begin = max(0, at-p.Limit)
	}
	p = p.from(begin)
	p.Count = min(p.Count, max(0, at-begin))
	return p
}

func (p Page) from(offset int) Page {
	p.Offset = min(max(0, offset), p.Total)
	return p.sized(p.Limit == 0 && p.Count == 0)
}

func (p Page) hasNext() bool { return p.Offset+p.Count < p.Total && p.Count > 0 }

func (p Page) hasPrevious() bool { return p.Offset > 0 }

func (p Page) size() int { return cmp.Or(p.Limit, p.Count) }

func (p Page) previous() offset { return offset(max(0, p.Offset-p.size())) }

// pages is how many pages there are; number is this one's, from 0.
func (p Page) pages() int {
	if p.Limit == 0 {
		return 1
	}
	return (p.Total + p.Limit - 1) / p.Limit
}

func (p Page) number() int {
	if p.Limit == 0 {
		return 0
	}
	return p.Offset/p.Limit + p.Beyond
}

func (p Page) lastOffset() int {
	if p.Limit == 0 || p.Total == 0 {
		return 0
	}
	return (p.Total - 1) / p.Limit * p.Limit
}
