package decode

import (
	"encoding/xml"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// unknownSpace begins the namespace that is declared for the prefix of a property's name ("dc:title") where the
// document gives none.
const unknownSpace = "urn:prefix:"

// xmlSpace is what the prefix xml stands for (Namespaces in XML 1.0 section 3).
const xmlSpace = "http://www.w3.org/XML/1998/namespace"

// xmlName makes a name in XML of the name of a property: a character that cannot stand there is written as its
// number, "first name" as "first_x0020_name". A name with one prefix stays as it is.
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

var escapedName = regexp.MustCompile(`_x([0-9A-F]{4,6})?_`)

// plainName gives the name of a property that no schema names, as xmlName was given it.
func plainName(name xml.Name) string {
	local := escapedName.ReplaceAllStringFunc(name.Local, func(text string) string {
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

// isXMLName accepts the names that need no thought: letters, digits, "_", "-"
// and ".", and letters beyond ASCII (XML 1.0 section 2.3).
func isXMLName(name string) bool {
	for i, r := range name {
		letter := 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || r == '_' ||
			0xc0 <= r && r <= 0x2ff && r != 0xd7 && r != 0xf7 || 0x370 <= r && r <= 0x1fff && r != 0x37e ||
			0x3041 <= r && r <= 0x3094 || 0x30a1 <= r && r <= 0x30fa || 0x4e00 <= r && r <= 0x9fa5 || 0xac00 <= r && r <= 0xd7a3
		if !letter && (i == 0 || !slices.Contains([]rune("-.0123456789"), r)) {
			return false
		}
	}
	return name != ""
}
