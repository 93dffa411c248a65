package backends

import (
	"net/url"
	"regexp"
	"strings"
	"time"
)

// formats are those that the documents use.
var formats = map[string]func(string) bool{
	"date":      isDate,
	"date-time": isDateTime,
	"email":     isEmail,
	"uri":       isURI,
	"uuid":      uuidText.MatchString,
	"time":      clockText.MatchString,
}

var (
	uuidText  = regexp.MustCompile(`^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$`)
	clockText = regexp.MustCompile(`^([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?([zZ]|[+-]([01]\d|2[0-3]):[0-5]\d)$`)
	// A date-time of RFC 3339 section 5.6; leap seconds only if they can be.
	timeText = regexp.MustCompile(`^(\d{4}-\d\d-\d\d)[tT](?:(?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d)(?:\.\d+)?(?:[zZ]|[+-](?:[01]\d|2[0-3]):[0-5]\d)|23:59:60(?:\.\d+)?(?:[zZ]|[+-]00:00))$`)
	// An addr-spec of RFC 5322 with a dot-atom and a host name.
	emailText = regexp.MustCompile("^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*@[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?(\\.[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*$")
	uriText   = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]*:(%[0-9A-Fa-f]{2}|[A-Za-z0-9._~:/?#\[\]@!$&'()*+,;=-])*$`)
)

func isDate(s string) bool {
	_, err := time.Parse(time.DateOnly, s)
	return err == nil && len(s) == len(time.DateOnly)
}

func isDateTime(s string) bool {
	m := timeText.FindStringSubmatch(s)
	return m != nil && isDate(m[1])
}

func isEmail(s string) bool {
	local, _, _ := strings.Cut(s, "@")
	return emailText.MatchString(s) && len(local) <= 64 && len(s) <= 254
}

func isURI(s string) bool {
	if !uriText.MatchString(s) {
		return false
	}
	_, err := url.Parse(s)
	return err == nil
}
