package naming

import "strings"

// IsShortID reports whether a folded name is one letter before id: gid, oid. What is called so is an identifier in most
// documents, whatever the letter means.
func IsShortID(folded string) bool {
	const length = 3
	return len(folded) == length && strings.HasSuffix(folded, "id")
}
