package backends

import (
	"net/http"
	"strings"
)

const maxCover = 64 << 10 // bytes of an image

var coverMetadata = object(closed("accepts-unknown-cover-property"),
	need("caption", "accepts-missing-caption", "", "cover", str("accepts-number-caption"), minLength(1, ""),
		maxLength(100, "accepts-long-caption")),
	filled("side", "front", "forgets-default-side", str(""), oneOfWords("accepts-unknown-side", "", "front", "back")),
)

func coverRoutes(*Server) []operation {
	body := &bodyRule{kinds: []string{"multipart/form-data"}}
	return []operation{
		{name: "put-cover", place: "cover", method: "PUT", path: "/books/{bookId}/cover", guard: staff, body: body,
			handle: putCover},
		{name: "read-cover", place: "cover", method: "GET", path: "/books/{bookId}/cover", handle: readCover},
		{name: "delete-cover", place: "cover", method: "DELETE", path: "/books/{bookId}/cover", guard: staff,
			handle: deleteCover},
	}
}

func putCover(c *call) {
	book := bookOf(c)
	if book == nil {
		return
	}
	image, images := c.partNamed("image")
	about, abouts := c.partNamed("metadata")
	k := &check{s: c.s}
	if images != 1 && !(images == 0 && c.s.has("accepts-cover-without-image")) {
		k.report("", "image", "must be one part")
	}
	if abouts != 1 && !(abouts == 0 && c.s.has("accepts-cover-without-metadata")) {
		k.report("", "metadata", "must be one part")
	}
	for _, p := range c.parts {
		if p.name != "image" && p.name != "metadata" {
			k.report("accepts-unknown-part", p.name, "is not known")
		}
	}
	metadata := map[string]any{"caption": "cover", "side": "front"}
	if abouts > 0 {
		value, fault := parseJSON(string(about.data))
		if fault != "" {
			k.report("accepts-malformed-metadata", "metadata", "is no JSON")
			value = metadata
		}
		metadata, _ = coverMetadata(k, "metadata", value).(map[string]any)
	}
	badKind := images > 0 && image.kind != "image/png" && image.kind != "image/jpeg" && !c.s.has("accepts-any-image")
	badKind = badKind || abouts > 0 && about.kind != "application/json" && !c.s.has("accepts-any-metadata-type")
	switch {
	case !c.accept(k, http.StatusUnprocessableEntity):
		return
	case badKind:
		c.refuse(http.StatusUnsupportedMediaType, "the image is image/png or image/jpeg, the metadata application/json")
		return
	case len(image.data) > maxCover && !c.s.has("accepts-large-image"):
		c.refuse(http.StatusRequestEntityTooLarge, "the image is too large")
		return
	}
	status := http.StatusOK
	if c.s.collection("covers").byID[book.id] == nil {
		status = http.StatusCreated
	}
	c.s.collection("covers").remove(book.id)
	cover := c.s.collection("covers").add(book.id, map[string]any{
		"bookId": book.id, "caption": metadata["caption"], "side": metadata["side"],
		"bytes": len(image.data), "type": or(image.kind, "image/png"),
	})
	cover.blob = image.data
	shown := cover.values
	switch {
	case c.s.has("cover-loses-side"):
		shown = without(shown, "side")
	case c.s.has("cover-counts-wrong"):
		shown = changed(shown, "bytes", len(c.raw))
	case c.s.has("cover-is-cut"):
		cover.blob = cover.blob[:len(cover.blob)/2]
	}
	c.reply(status, shown)
	c.set("Location", "/books/"+book.id+"/cover")
}

func coverOf(c *call) *item {
	book := bookOf(c)
	if book == nil && c.s.has("cover-outlives-book") {
		if book = c.s.collection("deleted-books").byID[c.path[0]]; book != nil {
			c.answer = answer{}
		}
	}
	if book == nil {
		return nil
	}
	cover := c.s.collection("covers").byID[book.id]
	if cover == nil {
		c.refuse(http.StatusNotFound, "the book has no cover")
	}
	return cover
}

func readCover(c *call) {
	cover := coverOf(c)
	if cover == nil {
		return
	}
	kind, _ := cover.values["type"].(string)
	if c.s.has("cover-is-always-gif") {
		kind = strings.Replace(kind, kind, "image/gif", 1)
	}
	c.answer = answer{status: http.StatusOK, kind: kind, body: cover.blob}
	c.set("Content-Disposition", "inline")
	if c.s.has("cover-without-disposition") {
		c.answer.header.Del("Content-Disposition")
	}
}

func deleteCover(c *call) {
	cover := coverOf(c)
	if cover == nil {
		return
	}
	if !c.s.has("cover-stays") {
		c.s.collection("covers").remove(cover.id)
	}
	c.answer.status = http.StatusNoContent
}
