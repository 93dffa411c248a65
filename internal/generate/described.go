package generate

import "strings"

// descriptionHints are tried in order on descriptions in lower case, where a
// property's name tells nothing.
var descriptionHints = []struct{ phrase, name string }{
	{"email address", "email"}, {"e-mail", "email"},
	{"uuid", "uuid"},
	{"iso 4217", "currency"}, {"currency code", "currency"},
	{"iso 3166", "countrycode"}, {"country code", "countrycode"},
	{"iso 639", "language"}, {"bcp 47", "language"}, {"language code", "language"},
	{"iso 8601", "timestamp"}, {"iso8601", "timestamp"}, {"rfc 3339", "timestamp"}, {"rfc3339", "timestamp"},
	{"unix time", "timestamp"}, {"unix timestamp", "timestamp"}, {"epoch", "timestamp"},
	{"ip address", "ip"}, {"time zone", "timezone"}, {"timezone", "timezone"},
	{"phone number", "phone"}, {"postal code", "zip"}, {"zip code", "zip"},
	{"url of", "url"}, {"uri of", "url"}, {"link to", "url"}, {"percentage", "percent"},
	{"identifier of", "id"}, {"unique identifier", "id"}, {"full name", "fullname"}, {"name of the user", "fullname"},
	{"sha of", "sha"}, {"commit hash", "sha"},
}

// described finds the hint in a property's description.
func described(description string) *hint {
	if description == "" {
		return nil
	}
	if len(description) > 200 { // what it is stands first
		description = description[:200]
	}
	description = strings.ToLower(description)
	for _, d := range descriptionHints {
		if strings.Contains(description, d.phrase) {
			return hintTable[d.name]
		}
	}
	return nil
}
