package query

// Page is a part of a list.
type Page struct {
	Total  int // items that the filters choose
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
	if q.Paged {
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

// From gives the page that begins at an offset.
func (p Page) From(offset int) Page {
	p.Offset = min(max(0, offset), p.Total)
	return p.sized(p.Limit == 0 && p.Count == 0)
}

func (p Page) hasNext() bool { return p.Offset+p.Count < p.Total && p.Count > 0 }

func (p Page) hasPrevious() bool { return p.Offset > 0 }

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
