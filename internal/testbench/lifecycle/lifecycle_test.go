package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/testbench/corpus"
	"github.com/coldframe/coldframe/mock"
)

func TestCorpus(t *testing.T) {
	total := newResult("all")
	for _, d := range corpus.Test(t) {
		t.Run(d.Name, func(t *testing.T) {
			r, err := measure(context.Background(), d, mock.StateOptions{})
			if err != nil {
				t.Fatal(err)
			}
			corpus.CheckKnown(t, "testdata/known.txt", d.Name, r.failed)
			total.add(r)
		})
	}
	t.Log(total.row())
}

var nursery = corpus.Document{Name: "nursery", Path: "testdata/nursery.yaml"}

// TestItems compares the reading of a small document, with a wrapped item, an item below another, an object of which
// there is one, and operations that keep nothing.
func TestItems(t *testing.T) {
	contract, err := spec.Load(t.Context(), nursery.Path, spec.Options{})
	if err != nil {
		t.Fatal(err)
	}
	read := &document{Contract: contract, shapes: schema.NewShapes(schema.Document{})}
	var got []string
	for _, i := range read.items() {
		line := fmt.Sprintf("%s keys %v parents %v list %v changes %d delete %v", i.path, i.keys,
			slices.Sorted(maps.Keys(i.parents)), i.list != nil, len(i.change), i.remove != nil)
		if i.create != nil {
			m, _ := read.match(i.create, i.read, false)
			line += fmt.Sprintf(" %v shown in %v key %v", m.sent.names, m.shown.names, i.keyAt(m.shown))
		}
		got = append(got, line)
	}
	want := []string{
		"/beds keys [bed_id id] parents [] list true changes 1 delete true [data] shown in [data attributes] key [data id]",
		"/beds/{bed_id}/plants keys [plantId id] parents [bed_id] list true changes 0 delete false [] shown in [] key [id]",
		"/settings keys [] parents [] list false changes 1 delete false",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestState checks that a mock with state holds all expectations, and one without fails some of each kind.
func TestState(t *testing.T) {
	for _, stateless := range []bool{false, true} {
		r, err := measure(t.Context(), nursery, mock.StateOptions{Stateless: stateless})
		if err != nil {
			t.Fatal(err)
		}
		if !stateless && len(r.failed)+len(r.skipped) > 0 {
			t.Errorf("failed: %q, skipped: %q", r.failed, r.skipped)
		}
		for k := range kinds {
			failed := r.shares[k].all - r.shares[k].held
			if r.shares[k].all == 0 || stateless && k != conforming && failed == 0 {
				t.Errorf("stateless %v: %v: %v", stateless, k, r.shares[k])
			}
		}
	}
}
