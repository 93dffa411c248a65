package control

import "fmt"

// Source says where the responses of an operation come from.
type Source struct {
	Operation string `json:"operation"` // METHOD path
	Source    string `json:"source"`    // forward or mock
	Reason    string `json:"reason"`
}

// withProxy refuses an operation if the server is no proxy.
func withProxy(do handlerFunc) handlerFunc {
	return func(h *Handler, c *call) (any, error) {
		if h.Choices == nil {
			return nil, &Failure{Status: 404, Detail: "this is no proxy: all operations are mocked"}
		}
		return do(h, c)
	}
}

func listSources(h *Handler, _ *call) (any, error) {
	all := []Source{}
	for _, o := range h.Served().Contract.Operations {
		source, reason := h.Choices.Of(o)
		all = append(all, Source{o.Method + " " + o.Path, source, reason})
	}
	return map[string]any{"sources": all}, nil
}

func setSource(h *Handler, c *call, order struct{ Operation, Source string }) (any, error) {
	source := order.Source
	if source == "default" {
		source = ""
	}
	if h.Choices.Set(order.Operation, source, h.Served().Contract.Operations) == 0 {
		return nil, &Failure{Status: 422, Detail: fmt.Sprintf("no operation of the document is %q; want a path, "+
			"METHOD path, an operationId or tag:NAME", order.Operation)}
	}
	return listSources(h, c)
}

func getLearned(h *Handler, _ *call) (any, error) {
	if h.Learner == nil {
		return nil, &Failure{Status: 404, Detail: "the proxy compares nothing (option learn)"}
	}
	return h.Learner.Report(), nil
}
