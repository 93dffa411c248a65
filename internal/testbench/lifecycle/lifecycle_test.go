package main

import (
	"context"
	"testing"

	"github.com/coldframe/coldframe/internal/testbench/corpus"
)

func TestCorpus(t *testing.T) {
	total := newResult("all")
	for _, d := range corpus.Test(t) {
		t.Run(d.Name, func(t *testing.T) {
			r, err := measure(context.Background(), d)
			if err != nil {
				t.Fatal(err)
			}
			corpus.CheckKnown(t, "testdata/known.txt", d.Name, r.Failures)
			total.add(r)
		})
	}
	t.Log(total.row())
}
