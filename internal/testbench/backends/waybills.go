package backends

import (
	"bytes"
	"encoding/csv"
	"net/http"
	"strconv"
	"strings"
)

// waybillRoutes are the label of a parcel and the table of all parcels.
func waybillRoutes(*Server) []operation {
	body := &bodyRule{kinds: []string{"application/octet-stream"}}
	const path = "/parcels/{parcelId}/label"
	return []operation{
		{name: "put-label", place: "label", method: "PUT", path: path, guard: keyed, body: body, handle: putParcelLabel},
		{name: "read-label", place: "label", method: "GET", path: path, guard: keyed, handle: readParcelLabel},
		{name: "export-parcels", place: "table", method: "GET", path: "/parcels.csv", guard: keyed, handle: exportParcels},
	}
}

func putParcelLabel(c *call) {
	_, parcel := parcelOf(c)
	if parcel == nil {
		return
	}
	blob := c.raw
	switch {
	case c.s.has("label-turns-line-ends"):
		blob = bytes.ReplaceAll(blob, []byte("\r\n"), []byte("\n"))
	case c.s.has("label-loses-last-byte") && len(blob) > 1:
		blob = blob[:len(blob)-1]
	case c.s.has("label-keeps-first") && parcel.blob != nil:
		blob = parcel.blob
	}
	parcel.blob = blob
	c.answer.status = http.StatusNoContent
}

func readParcelLabel(c *call) {
	_, parcel := parcelOf(c)
	switch {
	case parcel == nil:
	case parcel.blob == nil:
		c.refuse(http.StatusNotFound, "there is no label")
	default:
		c.answer.status, c.answer.kind, c.answer.body = http.StatusOK, "application/octet-stream", parcel.blob
	}
}

// exportParcels returns the parcels of a tenant as a table (RFC 4180).
func exportParcels(c *call) {
	tenant, ok := c.tenant()
	if !ok {
		return
	}
	items := c.s.parcels(tenant).items
	if c.s.has("table-lacks-newest") && len(items) > 0 {
		items = items[:len(items)-1]
	}
	var table bytes.Buffer
	writer := csv.NewWriter(&table)
	writer.UseCRLF = true
	writer.Write([]string{"id", "reference", "weight", "note", "status"})
	for _, i := range items {
		note, _ := i.values["note"].(string)
		if former := c.s.collection("former parcels").byID[i.id]; former != nil && c.s.has("table-has-former-notes") {
			note, _ = former.values["note"].(string)
		}
		if c.s.has("table-cuts-notes") {
			note, _, _ = strings.Cut(note, " ")
		}
		reference, _ := i.values["reference"].(string)
		status, _ := i.values["status"].(string)
		writer.Write([]string{i.id, reference, strconv.Itoa(count(i.values["weight"])), note, status})
	}
	writer.Flush()
	c.answer.status, c.answer.kind, c.answer.body = http.StatusOK, "text/csv", table.Bytes()
	if c.s.has("table-is-not-quoted") {
		c.answer.body = bytes.ReplaceAll(c.answer.body, []byte(`"`), nil)
	}
}
