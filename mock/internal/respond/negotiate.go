package respond

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
)

const maxAccepted = 100

// accepted is one media range of Accept (RFC 9110 section 12.5.1).
type accepted struct {
	kind    string // lower case, or "*"
	subtype string
	params  []exchange.Field // before q; names in lower case
	quality float64
}

// Negotiate picks the media type that Accept fields like best; between equals the one that they name more
// precisely, then the document's order decides (see first). It is nil if none is acceptable, or there is none. as is
// the media type to name if the document has a range and its plainest member is not acceptable, else "".
func Negotiate(h exchange.Header, content []*spec.MediaType) (best *spec.MediaType, as string) {
	if len(content) == 0 {
		return nil, ""
	}
	accept, ok := h.Get("Accept")
	if !ok || accept == "*/*" || strings.TrimSpace(accept) == "" {
		return first(content), ""
	}
	if values := h.Values("Accept"); len(values) > 1 {
		accept = strings.Join(values, ",")
	}
	ranges := parseAccept(accept)
	bestQuality, bestSpecificity := 0.0, -1
	consider := func(media *spec.MediaType) {
		q, specificity, name := match(ranges, media)
		if media.IsRange() && mostSpecific(content, cmp.Or(name, media.Concrete())) != media {
			return // another entry describes this media type
		}
		if q > bestQuality || q == bestQuality && q > 0 && specificity > bestSpecificity {
			best, bestQuality, bestSpecificity, as = media, q, specificity, name
		}
	}
	consider(first(content))
	for _, media := range content {
		consider(media)
	}
	return best, as
}

// mostSpecific returns the entry that describes a media type: of several keys, the most specific is applicable (OpenAPI
// 3.1 section 4.8.14.1).
func mostSpecific(content []*spec.MediaType, name string) *spec.MediaType {
	kind, subtype, _ := strings.Cut(name, "/")
	var best *spec.MediaType
	most := 0
	for _, media := range content {
		precision := 0
		switch {
		case media.Type == kind && media.Subtype == subtype:
			precision = 4
		case !media.IsRange() || media.Type != kind && media.Type != "*" || !strings.HasSuffix(subtype, media.Subtype[1:]):
		case media.Subtype != "*":
			precision = 3
		case media.Type != "*":
			precision = 2
		default:
			precision = 1
		}
		if precision > most {
			best, most = media, precision
		}
	}
	return best
}

// first returns the media type that goes before others: the document's first, but the entry that describes the plainest
// member of a range, and JSON before text/plain if that is for objects and lists, as frameworks write documents that
// answer with JSON.
func first(content []*spec.MediaType) *spec.MediaType {
	media := content[0]
	if media.IsRange() {
		media = cmp.Or(mostSpecific(content, media.Concrete()), media)
	}
	if len(content) == 1 || media.Type != "text" || media.Subtype != "plain" || media.Schema == nil {
		return media
	}
	types := schema.AllowedTypes(media.Schema.Keywords)
	if len(types) != 1 || types[0] != "object" && types[0] != "array" {
		return media
	}
	if i := slices.IndexFunc(content, (*spec.MediaType).IsJSON); i > 0 {
		return content[i]
	}
	return media
}

func contentTypeOf(media *spec.MediaType, as string) string {
	if as != "" && media.IsRange() {
		return as
	}
	return media.Concrete()
}

// match returns the weight of a documented media type in accepted ranges, 0 if they exclude it or
// none matches, and how precisely they name it. A documented range is answered as its plainest member where
// that is acceptable, and else as what is: as names it then.
func match(ranges []accepted, media *spec.MediaType) (q float64, specificity int, as string) {
	if !media.IsRange() {
		q, specificity = weight(ranges, media.Type, media.Subtype, media.Params)
		return q, specificity, ""
	}
	kind, subtype, _ := strings.Cut(media.Concrete(), "/")
	if q, specificity = weight(ranges, kind, subtype, nil); q > 0 {
		return q, specificity, ""
	}
	for _, a := range ranges {
		if a.writable() && a.quality > q && (media.Type == "*" || media.Type == a.kind) &&
			strings.HasSuffix(a.subtype, media.Subtype[1:]) {
			q, specificity, as = a.quality, bySubtype, a.kind+"/"+a.subtype
		}
	}
	return q, specificity, as
}

// writable reports whether the range names a media type that any value can be written in.
func (a *accepted) writable() bool {
	return exchange.IsToken(a.kind+a.subtype) && a.kind != "*" && !strings.HasPrefix(a.subtype, "*") &&
		a.kind != "multipart" && a.subtype != "x-www-form-urlencoded"
}

// How precisely a range names a media type. Parameters make it preciser still.
const (
	byNothing = iota - 1
	byAnything
	byType
	bySuffix // application/json for application/hal+json, which JSON readers can read (RFC 6839)
	bySubtype
)

func weight(ranges []accepted, kind, subtype string, params map[string]string) (quality float64, specificity int) {
	specificity = byNothing
	for i := range ranges {
		if s := ranges[i].names(kind, subtype, params); s > specificity {
			quality, specificity = ranges[i].quality, s
		}
	}
	return quality, specificity
}

func (a *accepted) names(kind, subtype string, params map[string]string) int {
	switch {
	case a.kind == "*" && a.subtype == "*":
		return byAnything
	case a.kind != kind:
		return byNothing
	case a.subtype == "*":
		return byType
	case a.subtype == subtype:
		return a.precise(params)
	}
	suffix := subtype[strings.LastIndexByte(subtype, '+')+1:]
	if suffix != subtype && (a.subtype == suffix || a.subtype == "*+"+suffix) && a.quality > 0 {
		return bySuffix
	}
	return byNothing
}

// precise compares the range's parameters. A parameter that the document does not have is not a contradiction, as
// documents have few of them; JSON and most text is UTF-8 whatever charset says.
func (a *accepted) precise(params map[string]string) int {
	specificity := bySubtype
	for _, p := range a.params {
		documented, ok := params[p.Name]
		switch {
		case ok && strings.EqualFold(documented, p.Value):
			specificity++
		case p.Name == "charset":
		case ok || a.quality == 0:
			return byNothing
		}
	}
	return specificity
}

// parseAccept reads media ranges and skips elements that are not media ranges.
func parseAccept(text string) []accepted {
	var ranges []accepted
	for element := range exchange.SplitQuoted(text, ",") {
		a := accepted{quality: 1}
		name, params, _ := strings.Cut(element, ";")
		a.kind, a.subtype, _ = strings.Cut(strings.ToLower(strings.TrimSpace(name)), "/")
		for param := range exchange.SplitQuoted(params, ";") {
			name, value, _ := strings.Cut(param, "=")
			name, value = strings.ToLower(strings.TrimSpace(name)), strings.Trim(strings.TrimSpace(value), `"`)
			if name == "q" {
				if q, err := strconv.ParseFloat(value, 64); err == nil && q >= 0 { // NaN is not
					a.quality = min(q, 1)
				}
				break // what follows is about Accept itself
			}
			if name != "" {
				a.params = append(a.params, exchange.Field{Name: name, Value: value})
			}
		}
		if a.kind != "" && a.subtype != "" {
			ranges = append(ranges, a)
		}
		if len(ranges) == maxAccepted {
			break
		}
	}
	return ranges
}
