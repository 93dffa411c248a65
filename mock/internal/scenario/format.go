package scenario

import (
	"encoding/json"
	"math"
	"strings"
	"time"

	"github.com/coldframe/coldframe/internal/jsontext"
)

// fileFormat is a scenario file decoded. scenario.schema.json has the same keys,
// and describes them.
type fileFormat struct {
	Name        string      `json:"name"`
	Description string      `json:"description"`
	Active      *bool       `json:"active"`
	Initial     string      `json:"initial"`
	Rules       []*fileRule `json:"rules"`
}

type fileRule struct {
	On          oneOrMore[string]     `json:"on"`
	Description string                `json:"description"`
	When        string                `json:"when"`
	Respond     oneOrMore[fileAnswer] `json:"respond"`
	Cycle       bool                  `json:"cycle"`
	Delay       fileDelay             `json:"delay"`
	Bandwidth   bandwidth             `json:"bandwidth"`
	Times       count                 `json:"times"`
	Every       count                 `json:"every"`
	Chance      float64               `json:"chance"`
	Limit       *fileLimit            `json:"limit"`
	State       string                `json:"state"`
	Then        string                `json:"then"`
	Fault       Fault                 `json:"fault"`
	Violates    bool                  `json:"violates"`
}

// fileAnswer is one answer of respond. Values with expressions are compiled from
// their nodes, which have places.
type fileAnswer struct {
	Status  count           `json:"status"`
	Headers json.RawMessage `json:"headers"`
	Body    json.RawMessage `json:"body"`
	Example string          `json:"example"`
}

type fileDelay struct {
	constant  duration
	Uniform   []duration     `json:"uniform"`
	Lognormal *fileLognormal `json:"lognormal"`
	Max       *duration      `json:"max"`
}

type fileLognormal struct {
	Median *duration `json:"median"`
	Sigma  float64   `json:"sigma"`
}

type fileLimit struct {
	Requests count     `json:"requests"`
	Per      *duration `json:"per"`
}

// decode reads a value that the schema accepts; null is a key left out.
func (f *fileFormat) decode(value any) error {
	return json.Unmarshal(jsontext.Append(nil, value), f)
}

// oneOrMore is a value or an array of values.
type oneOrMore[T any] struct {
	items   []T
	isArray bool
}

func (v *oneOrMore[T]) UnmarshalJSON(text []byte) error {
	switch text[0] {
	case 'n': // null
		return nil
	case '[':
		v.isArray = true
		return json.Unmarshal(text, &v.items)
	}
	v.items = make([]T, 1)
	return json.Unmarshal(text, &v.items[0])
}

// count is a whole number, which JSON may write as 1e3.
type count int

func (c *count) UnmarshalJSON(text []byte) error {
	var f float64
	err := json.Unmarshal(text, &f)
	*c = count(f)
	return err
}

// duration is written as 1.5s or in milliseconds. One that is too long for a
// time.Duration is the longest.
type duration time.Duration

func (d *duration) UnmarshalJSON(text []byte) error {
	var s string
	if json.Unmarshal(text, &s) != nil {
		var ms float64
		err := json.Unmarshal(text, &ms)
		*d = duration(ms * float64(time.Millisecond))
		return err
	}
	if s == "" { // null
		return nil
	}
	parsed, err := time.ParseDuration(s)
	if err != nil {
		parsed = math.MaxInt64
	}
	*d = duration(parsed)
	return nil
}

// UnmarshalJSON reads a constant delay, or a distribution.
func (d *fileDelay) UnmarshalJSON(text []byte) error {
	if text[0] != '{' {
		return json.Unmarshal(text, &d.constant)
	}
	type object fileDelay
	return json.Unmarshal(text, (*object)(d))
}

// bandwidth is in bytes a second, and is written as 64KiB, 1MiB or a number.
type bandwidth int

func (b *bandwidth) UnmarshalJSON(text []byte) error {
	digits, unit := strings.Trim(string(text), `"`), 1.0
	if d, ok := strings.CutSuffix(digits, "KiB"); ok {
		digits, unit = d, 1<<10
	} else if d, ok := strings.CutSuffix(digits, "MiB"); ok {
		digits, unit = d, 1<<20
	}
	var f float64
	err := json.Unmarshal([]byte(digits), &f)
	*b = bandwidth(min(f*unit, maxBandwidth+1))
	return err
}
