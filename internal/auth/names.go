package auth

import (
	"bytes"
	"slices"
	"strings"
	"sync"

	"github.com/coldframe/coldframe/internal/words"
)

// secretNames are the names of words.Secrets, so that most other names are excluded by their ends alone.
type secretNames struct {
	byEnd [128][]secretName    // by the last letter
	ends  [1 << 15 / 64]uint64 // a bit set of the last three letters, with 5 bits for each letter
}

type secretName struct {
	name    string
	isWhole bool // longer names that end so are other names
}

var secrets = sync.OnceValue(func() *secretNames {
	all := &secretNames{}
	for row := range words.Secrets.Rows() {
		name := row[0]
		last := name[len(name)-1]
		all.byEnd[last] = append(all.byEnd[last], secretName{name, row[1] == "whole"})
		end := ends([]byte(name[len(name)-3:]))
		all.ends[end/64] |= 1 << (end % 64)
	}
	return all
})

func ends(letters []byte) uint {
	return uint(letters[0]&31)<<10 | uint(letters[1]&31)<<5 | uint(letters[2]&31)
}

// mayEnd reports whether a secret name may end with these three bytes. It returns true for bytes that are not
// letters.
func mayEnd(three []byte) bool {
	for _, c := range three {
		if c|0x20 < 'a' || c|0x20 > 'z' {
			return true
		}
	}
	at := ends(three)
	return secrets().ends[at/64]&(1<<(at%64)) != 0
}

const longestName = 64 // of a credential, in bytes

// IsSecretName reports whether a name by itself marks a credential: X-Api-Key, access_token, user[password].
func IsSecretName(name string) bool {
	name = strings.TrimSuffix(name, "]")
	last := len(name) - 1
	if last < 2 || last >= longestName || name[last] >= 128 {
		return false
	}
	sameEnd := secrets().byEnd[name[last]|0x20]
	if sameEnd == nil {
		return false
	}
	name = name[lastPart(name):]
	var space [longestName]byte
	plain := foldName(space[:0], name)
	if len(plain) == 0 {
		return false
	}
	return slices.ContainsFunc(sameEnd, func(s secretName) bool {
		return string(plain) == s.name || !s.isWhole && bytes.HasSuffix(plain, []byte(s.name))
	})
}

// lastPart returns the offset of a member's own name. It avoids strings.LastIndexAny, which builds a character set at
// each call and took a twentieth of an exchange with the journal (BenchmarkExchange).
func lastPart(name string) int {
	for i := len(name) - 1; i >= 0; i-- {
		switch name[i] {
		case '[', '.', '/', ':':
			return i + 1
		}
	}
	return 0
}

// foldName appends a name in the form of words.Secrets: also without a leading "x-".
func foldName(to []byte, name string) []byte {
	for i := range len(name) {
		switch c := name[i]; {
		case 'A' <= c && c <= 'Z':
			to = append(to, c|0x20)
		case c != '-' && c != '_' && c != ' ':
			to = append(to, c)
		}
	}
	if len(to) > 0 && to[0] == 'x' && len(name) > 1 && (name[1] == '-' || name[1] == '_') {
		return to[1:]
	}
	return to
}
