package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"sync"
	"sync/atomic"
)

// buyers compete for one limited item.
const buyers = 8

// limited is a scenario that sells one item in each session: the first request gets 200, later ones 409.
func (s *soak) limited() string {
	return fmt.Sprintf(`description: one item is sold in each session
rules:
  - on: GET %[1]s
    when: request.headers["x-soak-buyer"] != null
    times: 1
    violates: true
    respond: {status: 200, body: sold}
  - on: GET %[1]s
    when: request.headers["x-soak-buyer"] != null
    violates: true
    respond: {status: 409, body: sold out}
`, s.shop)
}

// sell offers one limited item after another, each in a session of its own, which buyers ask for at once and then
// again. An item that is sold to several, or to nobody, breaks the scenario's promise.
func (s *soak) sell(ctx context.Context) {
	for round := 0; ctx.Err() == nil; round++ {
		session := fmt.Sprint("shop-", round)
		var sold, refused atomic.Int64
		var all sync.WaitGroup
		for range buyers {
			all.Go(func() {
				for range 4 {
					switch s.buy(ctx, session) {
					case http.StatusOK:
						sold.Add(1)
					case http.StatusConflict:
						refused.Add(1)
					}
				}
			})
		}
		all.Wait()
		if ctx.Err() != nil {
			return
		}
		s.rounds.Add(1)
		switch {
		case sold.Load() > 1:
			s.oversold.Add(1)
		case sold.Load() == 0 && refused.Load() > 0:
			s.unsold.Add(1)
		}
	}
}

// buy asks for the item of a session, and returns the status; 0 if none.
func (s *soak) buy(ctx context.Context, session string) int {
	r, err := http.NewRequestWithContext(ctx, "GET", s.url+s.shop, nil)
	if err != nil {
		s.fail(err.Error())
		return 0
	}
	r.Header.Set("Coldframe-Session", session)
	r.Header.Set("X-Soak-Buyer", "yes")
	r.Header.Set("Authorization", "Bearer soak")
	response, err := s.client.Do(r)
	if ctx.Err() != nil {
		return 0
	}
	if err != nil {
		s.fail(err.Error())
		return 0
	}
	defer response.Body.Close()
	io.Copy(io.Discard, response.Body)
	if status := response.StatusCode; status != http.StatusOK && status != http.StatusConflict {
		s.fail(fmt.Sprintf("a limited item: %d", status))
	}
	return response.StatusCode
}
