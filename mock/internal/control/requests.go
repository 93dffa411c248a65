package control

import (
	"strconv"

	"github.com/coldframe/coldframe/mock/internal/journal"
	"github.com/coldframe/coldframe/mock/internal/state"
)

// defaultLimit is how many exchanges a list has where nothing is said.
const defaultLimit = 100

// list gives the exchanges that the query asks for, newest last.
func (h *Handler) list(c *call) Answer {
	if h.Journal == nil {
		return noJournal()
	}
	f := journal.Filter{
		Operation: c.text("operation"),
		Status:    c.text("status"),
		Finding:   c.text("finding"),
		Method:    c.text("method"),
		Path:      c.text("path"),
	}
	if session, ok := c.Query["session"].(string); ok {
		f.Session = &session
	}
	if f.Operation != "" {
		if _, finding := h.operation(f.Operation, "query", "operation", ""); finding != nil {
			return invalid(400, finding)
		}
	}
	entries, lost := h.Journal.Entries()
	chosen := f.Choose(entries)
	matched := len(chosen)
	chosen = chosen[max(0, matched-number(c.Query["limit"], defaultLimit)):]
	return marshalled(struct {
		Matched  int              `json:"matched"`
		Lost     uint64           `json:"lost"`
		Requests []*journal.Entry `json:"requests"`
	}{matched, lost, chosen})
}

func (h *Handler) get(c *call) Answer {
	if h.Journal == nil {
		return noJournal()
	}
	n := number(c.Path["number"], 0)
	e := h.Journal.Entry(uint64(n))
	if e == nil {
		detail := "the journal does not have exchange " + strconv.Itoa(n)
		if entries, _ := h.Journal.Entries(); len(entries) > 0 {
			detail += "; it has " + strconv.FormatUint(entries[0].Number, 10) + " to " + strconv.FormatUint(entries[len(entries)-1].Number, 10)
		}
		return problem(404, detail)
	}
	return marshalled(e)
}

func (h *Handler) clear(c *call) Answer {
	switch session := c.session(); {
	case session == nil:
		h.Journal.Clear()
	case *session == state.Default:
		h.Journal.ClearSession("")
	default:
		h.Journal.ClearSession(*session)
	}
	return noContent()
}

func noJournal() Answer { return problem(404, "no journal is kept; see --journal") }
