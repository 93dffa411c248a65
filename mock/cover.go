package mock

import "github.com/coldframe/coldframe/mock/coverage"

// cover counts what of the document the exchange used.
func (x *visit) cover() {
	if x.operation == nil {
		return
	}
	x.in.coverage.Use(x.operation.Operation, &x.values, x.response.Status, func() any {
		return value(x.response.Header, x.response.Body)
	})
}

// Coverage says what of the document has been used since the server started
// or reloaded it.
func (s *Server) Coverage() *coverage.Report { return s.current.Load().coverage.Report() }
