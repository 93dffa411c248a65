package mock

import (
	"net/url"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
)

// undeclared gives the query parameters that the operation does not document,
// where the mock is to refuse them. The twins of preferences are the mock's
// own.
func (x *visit) undeclared() []exchange.Finding {
	if x.options.Undeclared != "refuse" || x.request.Query == "" {
		return nil
	}
	_, inPath, _ := strings.Cut(x.operation.Path, "?") // some paths tell operations apart by their query
	fixed, _ := url.ParseQuery(inPath)
	return slices.DeleteFunc(x.operation.validator.Unknown(x.request), func(f exchange.Finding) bool {
		name, twin := strings.CutPrefix(f.Name, "__")
		return fixed.Has(f.Name) || twin && slices.Contains(preferenceNames[:], name)
	})
}
