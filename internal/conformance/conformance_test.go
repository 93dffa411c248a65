package main

import (
	"context"
	"os"
	"testing"
)

func TestCorpus(t *testing.T) {
	folder := os.Getenv("COLDFRAME_CORPUS")
	if folder == "" {
		t.Skip("COLDFRAME_CORPUS names no folder of documents")
	}
	documents, err := corpus(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range documents {
		t.Run(d.Name, func(t *testing.T) {
			r, err := measure(context.Background(), d, here)
			if err != nil {
				t.Fatal(err)
			}
			for _, failure := range r.Failures {
				t.Error(failure)
			}
			if done := r.Answered.all + len(r.Impossible); done != r.Operations {
				t.Errorf("%d of %d operations were asked", done, r.Operations)
			}
		})
	}
}
