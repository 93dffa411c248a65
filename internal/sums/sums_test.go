package sums_test

import (
	"testing"

	"github.com/coldframe/coldframe/internal/sums"
)

// TestLineAmount: the amount of a line is its total, else quantity × price.
func TestLineAmount(t *testing.T) {
	for _, c := range []struct {
		line map[string]any
		want float64
		ok   bool
	}{
		{map[string]any{"line_amount": "7.50", "quantity": "9", "price": "1"}, 7.5, true},
		{map[string]any{"quantity": "3", "unit_price_cents": "250"}, 750, true},
		{map[string]any{"quantity": "2", "unitPrice": map[string]any{"amount": "1.25", "currency": "EUR"}}, 2.5, true},
		{map[string]any{"quantity": "3", "name": "Yarrow"}, 0, false},
	} {
		if got, ok := sums.LineAmount(c.line); got != c.want || ok != c.ok {
			t.Errorf("%v: %v, %t; want %v, %t", c.line, got, ok, c.want, c.ok)
		}
	}
}

// TestLineRate: a rate above 1 is in percent.
func TestLineRate(t *testing.T) {
	for text, want := range map[string]float64{"19": 0.19, "0.07": 0.07, "0": 0} {
		if got, ok := sums.LineRate(map[string]any{"tax_rate": text}); got != want || !ok {
			t.Errorf("%s: %v, %t; want %v", text, got, ok, want)
		}
	}
}
