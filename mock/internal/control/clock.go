package control

import (
	"net/http"
	"time"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/mock/internal/state"
)

// clockOf returns the clock of the session that the request chooses. It creates the session if necessary.
func clockOf(h *Handler, c *call) (*state.Clock, error) {
	s, _, err := h.Sessions.Get(h.SessionOf(c.request.Header))
	if err != nil {
		return nil, &Failure{Status: 400, Detail: err.Error()}
	}
	return s.Value().Clock, nil
}

func getClock(h *Handler, c *call) (any, error) {
	clock, err := clockOf(h, c)
	if err != nil {
		return nil, err
	}
	return map[string]string{
		"time": clock.Now().UTC().Format(time.RFC3339Nano), "ahead": clock.Ahead().String(), "clock": h.ClockMode,
	}, nil
}

func setClock(h *Handler, c *call, order struct{ Time, Advance string }) (any, error) {
	clock, err := clockOf(h, c)
	if err != nil {
		return nil, err
	}
	at, pointer := time.Time{}, "/time"
	switch {
	case order.Advance != "":
		pointer = "/advance"
		var by time.Duration
		if by, err = time.ParseDuration(order.Advance); err == nil {
			err = clock.Advance(by)
		}
	case h.ClockMode == "session":
		return nil, &Failure{Status: http.StatusConflict, Detail: "with --clock session items have another clock than " +
			"expiry has; move both with advance, or start the mock with --clock real or --clock fixed"}
	default:
		if at, err = time.Parse(time.RFC3339, order.Time); err == nil {
			err = clock.Set(at)
		}
	}
	if err != nil {
		return nil, invalid(422, exchange.Finding{Code: "clock", Message: err.Error(), In: exchange.InBody, Pointer: pointer})
	}
	return getClock(h, c)
}

func resetClock(h *Handler, c *call) (any, error) {
	clock, err := clockOf(h, c)
	if err == nil {
		clock.Reset()
	}
	return nil, err
}
