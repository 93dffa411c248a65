package auth

import (
	"bytes"
	"slices"
	"strings"
)

// secretNames are the usual names of fields, parameters, cookies and members with credentials, in lower case without
// hyphens, underscores and a leading "x-". Names with a star also match as the end of longer names.
var secretNames = []string{
	"authorization", "cookie", "setcookie", // RFC 9110 section 11.6, RFC 6265
	"*apikey", "authkey", "*accesskey", "*secretkey", "*privatekey", "subscriptionkey", "ocpapimsubscriptionkey",
	"*authtoken", "*accesstoken", "*idtoken", "*refreshtoken", "*securitytoken", "*sessiontoken", "privatetoken",
	"devicetoken", "vaulttoken", "csrftoken", "xsrftoken", "token", "jwt",
	"*clientsecret", "*secret", "*password", "passwordconfirmation", "*passwd", "*passphrase", "pwd",
	"codeverifier", "devicecode", "*assertion", "samlresponse", "*credential", "credentials", // RFC 6749, RFC 7636, RFC 7521
	"sessionid", "sid", "phpsessid", "jsessionid",
}

// namesByEnd are secretNames by their last letter; most other names end differently.
var namesByEnd = func() (all [128][]string) {
	for _, name := range secretNames {
		last := name[len(name)-1]
		all[last] = append(all[last], name)
	}
	return all
}()

// namesByEnds is a bit set of the last three letters of secret names, with 5 bits for each letter.
var namesByEnds = func() (all [1 << 15 / 64]uint64) {
	for _, name := range secretNames {
		ends := ends([]byte(name[len(name)-3:]))
		all[ends/64] |= 1 << (ends % 64)
	}
	return all
}()

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
	return namesByEnds[at/64]&(1<<(at%64)) != 0
}

const longestName = 64 // of a credential, in bytes

// IsSecretName reports whether a name by itself marks a credential: X-Api-Key, access_token, user[password].
func IsSecretName(name string) bool {
	name = strings.TrimSuffix(name, "]")
	if last := len(name) - 1; last < 2 || last >= longestName || name[last] >= 128 ||
		namesByEnd[name[last]|0x20] == nil {
		return false
	}
	name = name[lastPart(name):]
	var space [longestName]byte
	plain := foldName(space[:0], name)
	if len(plain) == 0 {
		return false
	}
	return slices.ContainsFunc(namesByEnd[name[len(name)-1]|0x20], func(known string) bool {
		if end, ok := strings.CutPrefix(known, "*"); ok {
			return bytes.HasSuffix(plain, []byte(end))
		}
		return string(plain) == known
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

// foldName appends a name in the form of secretNames.
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
