package backends

import (
	"bytes"
	"encoding/csv"
	"net/http"
)

func exportRoutes(*Server) []operation {
	return []operation{
		{name: "export-books", place: "export", method: "GET", path: "/exports/books", guard: audited,
			produces: []string{"text/csv", "application/json"}, handle: exportBooks},
		{name: "read-health", place: "health", method: "GET", path: "/health", handle: readHealth},
	}
}

// exportBooks returns all books in one of two media types.
func exportBooks(c *call) {
	columns := []string{"id", "isbn", "title", "genre"}
	if c.s.has("export-swaps-columns") {
		columns[1], columns[2] = columns[2], columns[1]
	}
	if c.s.has("export-lacks-column") {
		columns = columns[:3]
	}
	kind := c.answer.kind
	c.answer = answer{status: http.StatusOK}
	c.set("Content-Disposition", `attachment; filename="books"`)
	if c.s.has("export-without-disposition") {
		c.answer.header.Del("Content-Disposition")
	}
	var records []map[string]any
	var table bytes.Buffer
	writer := csv.NewWriter(&table)
	writer.UseCRLF = true // RFC 4180
	if !c.s.has("export-without-head") {
		writer.Write(columns)
	}
	for _, i := range c.s.collection("books").items {
		record := map[string]any{}
		var row []string
		for _, name := range columns {
			record[name] = i.values[name]
			value, _ := i.values[name].(string)
			row = append(row, value)
		}
		records = append(records, record)
		writer.Write(row)
	}
	writer.Flush()
	if records == nil {
		records = []map[string]any{}
	}
	if kind == "application/json" {
		c.answer.kind, c.answer.body = kind, text(records)
		return
	}
	c.answer.kind, c.answer.body = "text/csv; charset=utf-8", table.Bytes()
	if c.s.has("export-json-as-csv") {
		c.answer.body = text(records)
	}
}

func readHealth(c *call) {
	c.reply(http.StatusOK, map[string]any{"status": "up"})
	if c.s.has("health-says-down") {
		c.reply(http.StatusOK, map[string]any{"status": "down"})
	}
}
