package main

import (
	"context"
	"testing"

	"github.com/coldframe/coldframe/internal/testbench/corpus"
)

func TestCorpus(t *testing.T) {
	for _, d := range corpus.Test(t) {
		t.Run(d.Name, func(t *testing.T) {
			r, err := measure(context.Background(), d, here)
			if err != nil {
				t.Fatal(err)
			}
			corpus.CheckKnown(t, "testdata/known.txt", d.Name, r.Failures)
			if done := r.Answered.all + len(r.Impossible); done != r.Operations {
				t.Errorf("%d of %d operations were asked", done, r.Operations)
			}
		})
	}
}
