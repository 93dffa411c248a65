package control

import (
	"strconv"
	"time"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/spec"
)

// maxLines is how many lines of the document one response has.
const maxLines = 400

// Reload is a failed attempt to load the document again.
type Reload struct {
	At    time.Time `json:"at"`
	Error string    `json:"error"` // why the document before it stays
}

func getDocument(h *Handler, _ *call) (any, error) {
	served := h.Served()
	return struct {
		Title    string             `json:"title"`
		Version  string             `json:"version"`
		File     string             `json:"file"`
		SHA256   string             `json:"sha256"`
		Files    []spec.FileLines   `json:"files"`
		Findings []exchange.Finding `json:"findings"`
		LoadedAt time.Time          `json:"loadedAt"`
		Reload   *Reload            `json:"reload,omitempty"`
		ReadOnly bool               `json:"readOnly"`
		Edits    bool               `json:"allowEdit"`
	}{
		served.Contract.Title, served.Contract.Version, served.Contract.File, served.Contract.Hash(),
		served.Contract.FileLines(), append([]exchange.Finding{}, served.Findings...), served.LoadedAt.UTC(), served.Reload,
		h.ReadOnly, h.AllowEdit,
	}, nil
}

func getLines(h *Handler, c *call) (any, error) {
	contract := h.Served().Contract
	file, from := c.query("file"), integer(c.Query["from"], 1)
	if file == "" {
		file = contract.File
	}
	lines, ok := contract.Lines(file, from, min(integer(c.Query["to"], from+maxLines-1), from+maxLines-1))
	if !ok {
		return nil, &Failure{Status: 404, Detail: "the document has no file " + strconv.Quote(exchange.Shorten(file, 200)) +
			"; GET " + Prefix + "document lists those that it has"}
	}
	return map[string]any{"file": file, "from": from, "lines": lines}, nil
}
