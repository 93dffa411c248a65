package decode

import (
	"encoding/xml"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/lazyregexp"
)

// unknownSpace is the prefix of the namespaces that are declared for prefixes in property names ("dc:title") without
// a namespace in the document.
const unknownSpace = "urn:prefix:"

// xmlSpace is the namespace of the prefix xml (Namespaces in XML 1.0 section 3).
const xmlSpace = "http://www.w3.org/XML/1998/namespace"

// xmlName turns the name of a property into an XML name: a character that is not allowed is written as its number,
// "first name" as "first_x0020_name". A name with one prefix is kept.
func xmlName(name string) string {
	prefix, local, qualified := strings.Cut(name, ":")
	if isXMLName(name) || qualified && isXMLName(prefix) && isXMLName(local) {
		return name
	}
	if name == "" {
		return "_x_"
	}
	var b strings.Builder
	for _, r := range name {
		if text := string(r); isXMLName(text) || b.Len() > 0 && isXMLName("_"+text) {
			b.WriteString(text)
		} else {
			fmt.Fprintf(&b, "_x%04X_", r)
		}
	}
	return b.String()
}

var escapedName = lazyregexp.New(`_x([0-9A-F]{4,6})?_`)

// plainName is the inverse of xmlName, for properties that no schema names.
func plainName(name xml.Name) string {
	local := escapedName.Get().ReplaceAllStringFunc(name.Local, func(text string) string {
		r, err := strconv.ParseInt(text[2:len(text)-1], 16, 32)
		if err != nil {
			return ""
		}
		return string(rune(r))
	})
	if prefix, unknown := strings.CutPrefix(name.Space, unknownSpace); unknown {
		return prefix + ":" + local
	}
	return local
}

// letters are ranges of ordinary characters that may begin names (XML 1.0 section 2.3).
var letters = [][2]rune{{'a', 'z'}, {'A', 'Z'}, {'_', '_'}, {0xc0, 0xd6}, {0xd8, 0xf6}, {0xf8, 0x2ff}, {0x370, 0x37d},
	{0x37f, 0x1fff}, {0x3041, 0x3094}, {0x30a1, 0x30fa}, {0x4e00, 0x9fa5}, {0xac00, 0xd7a3}}

// isXMLName accepts names of letters, digits, "_", "-" and ".".
func isXMLName(name string) bool {
	for i, r := range name {
		isLetter := slices.ContainsFunc(letters, func(of [2]rune) bool { return of[0] <= r && r <= of[1] })
		if !isLetter && (i == 0 || !slices.Contains([]rune("-.0123456789"), r)) {
			return false
		}
	}
	return name != ""
}
