package resource

import "regexp"

// nameInText matches a name in a text with what separates it from the one before.
var nameInText = regexp.MustCompile("([^A-Za-z0-9_]*)([A-Za-z0-9_]+)")

// inList matches what separates the names of a list: commas, semicolons or bars, also with "and" after or instead.
var inList = regexp.MustCompile("^[\"'`]*\\s*[,;|]\\s*[\"'`]*$")

// ListedNames returns the names of a list in a text, as "id,memberId,status", "id, number and total": the first with at
// least two names that are all known. It returns nil if none.
func ListedNames(text string, isKnown func(string) bool) []string {
	var names []string
	all := true
	end := func() bool {
		if all && len(names) > 1 {
			return true
		}
		names, all = nil, true
		return false
	}
	joined := false // the word before is an "and" after a name
	for _, m := range nameInText.FindAllStringSubmatch(text, -1) {
		separator, name := m[1], m[2]
		switch {
		case inList.MatchString(separator) && name == "and" && len(names) > 0,
			separator == " " && name == "and" && len(names) > 0:
			joined = true
			continue
		case joined, inList.MatchString(separator):
		case end():
			return names
		}
		joined = false
		all = all && isKnown(name)
		names = append(names, name)
	}
	if end() {
		return names
	}
	return nil
}
