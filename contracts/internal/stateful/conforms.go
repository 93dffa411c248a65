package stateful

import (
	"encoding/json"

	"github.com/coldframe/coldframe/internal/spec"
)

// candidates are values that no backend makes by itself.
var candidates = []any{
	"c01df4a3-0000-4000-8000-00c01df4a3e0", "1969-07-20T20:17:40Z", "1969-07-20", "coldframe@example.com", "https://example.com/coldframe",
	"coldframe-was-here", json.Number("987654321"), json.Number("98765"), json.Number("97"), json.Number("0.97"),
}

func conforms(k *spec.Keywords, value any) bool { return spec.Conforms(k, value) }
