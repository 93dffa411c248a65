// Command million creates a million plants over HTTP and says what that costs:
//
//	go run ./internal/testbench/bench/million [-plants 1000000] [-connections 8]
//
// The first run is of the Plant Store, for the memory that a plant takes beyond
// its JSON. The second is of a document with lists, for the time that a page of
// 50 takes where there are so many. It fails where a plant takes 400 bytes or
// more, or a page 5 ms. The memory is the heap that is in use after a
// collection, less what was before; server and client are one process.
package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/coldframe/coldframe/mock"
)

const (
	mostBytes = 400                  // of memory for a plant beyond its JSON
	mostTime  = 5 * time.Millisecond // for a page of 50
	pages     = 200                  // of each kind, for the median
	plant     = `{"id":%d,"name":"Monstera deliciosa","tag":"foliage"}`
)

func main() {
	plants := flag.Int("plants", 1_000_000, "how many to create")
	connections := flag.Int("connections", 8, "at once")
	flag.Parse()
	if err := measure(*plants, *connections); err != nil {
		fmt.Fprintln(os.Stderr, "million:", err)
		os.Exit(1)
	}
}

func measure(plants, connections int) error {
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: connections}}
	if err := memory(client, plants, connections); err != nil {
		return err
	}
	return times(client, plants, connections)
}

// memory measures what a plant takes in the Plant Store.
func memory(client *http.Client, plants, connections int) error {
	s, stop, err := serve("", plants)
	if err != nil {
		return err
	}
	defer stop()
	if err := create(client, s.URL(), 1000, connections, false); err != nil { // to warm up
		return err
	}
	s.Reset()
	before := inUse()
	if err := create(client, s.URL(), plants, connections, true); err != nil {
		return err
	}
	after := inUse()
	text := 0
	for i := range plants {
		text += len(fmt.Sprintf(plant, i))
	}
	each := (after - before - text) / plants
	fmt.Printf("memory: %d MiB, %d bytes a plant beyond its %d bytes of JSON\n", (after-before)>>20, each, text/plants)
	if each >= mostBytes {
		return fmt.Errorf("a plant takes %d bytes, not less than %d", each, mostBytes)
	}
	return nil
}

// times measures how long pages take where there are so many plants.
func times(client *http.Client, plants, connections int) error {
	s, stop, err := serve(document, plants)
	if err != nil {
		return err
	}
	defer stop()
	if err := create(client, s.URL(), plants, connections, true); err != nil {
		return err
	}
	slow := ""
	for _, page := range []struct{ name, query string }{
		{"first", "limit=50"},
		{"deep", "limit=50&offset=" + strconv.Itoa(plants-100)},
		{"by page", "limit=50&page=" + strconv.Itoa(plants/50-1)},
		{"by cursor", "limit=50&starting_after=" + strconv.Itoa(plants/2)},
	} {
		var all []time.Duration
		for range pages {
			began := time.Now()
			body, err := send(client, "GET", s.URL()+"/plants?"+page.query, nil)
			if err != nil {
				return err
			}
			all = append(all, time.Since(began))
			if n := bytes.Count(body, []byte(`"name"`)); n != 50 {
				return fmt.Errorf("the page %q has %d plants: %.200s", page.query, n, body)
			}
		}
		slices.Sort(all)
		fmt.Printf("list: %-9s median %v, worst %v of %d\n", page.name, all[pages/2], all[pages-1], pages)
		if all[pages/2] >= mostTime {
			slow = page.name
		}
	}
	if slow != "" {
		return fmt.Errorf("the page %q takes %v or more", slow, mostTime)
	}
	return nil
}

// create makes the plants and says how long each tenth of them takes.
func create(client *http.Client, url string, plants, connections int, says bool) error {
	const parts = 10
	made := 0
	for part := range parts {
		end := plants * (part + 1) / parts
		var next atomic.Int64
		next.Store(int64(made))
		var all sync.WaitGroup
		failed := make(chan error, connections)
		began := time.Now()
		for range connections {
			all.Go(func() {
				for {
					i := next.Add(1) - 1
					if i >= int64(end) {
						return
					}
					if _, err := send(client, "POST", url+"/plants", fmt.Appendf(nil, plant, i+1)); err != nil {
						failed <- err
						return
					}
				}
			})
		}
		all.Wait()
		select {
		case err := <-failed:
			return err
		default:
		}
		if says {
			fmt.Printf("create: %8d to %8d, %.1f µs each\n", made, end,
				float64(time.Since(began).Microseconds())/float64(end-made))
		}
		made = end
	}
	return nil
}

func send(client *http.Client, method, url string, body []byte) ([]byte, error) {
	r, err := http.NewRequest(method, url, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Authorization", "Bearer token")
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	answer, err := client.Do(r)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err == nil && answer.StatusCode/100 != 2 {
		err = fmt.Errorf("%s %s: %s %s", method, url, answer.Status, text)
	}
	return text, err
}

// serve starts a mock with room for so many plants; stop ends it.
func serve(text string, plants int) (s *mock.Server, stop func(), err error) {
	o := mock.Options{Journal: -1, MaxItems: plants + 1000, MaxState: 1 << 40, Memory: 1 << 40}
	if text != "" {
		o.Document, o.Text = "lists.yaml", []byte(text)
	}
	if s, err = mock.New(context.Background(), o); err != nil {
		return nil, nil, err
	}
	done := make(chan error, 1)
	go func() { done <- s.Run(context.Background()) }()
	return s, func() { s.Close(); <-done }, nil
}

// inUse gives the bytes of the heap that are in use.
func inUse() int {
	runtime.GC()
	runtime.GC() // what has finalizers goes with the second
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}

// document has lists of every kind.
const document = `
openapi: 3.1.0
info: {title: Lists, version: "1"}
paths:
  /plants:
    get:
      parameters:
        - {name: limit, in: query, schema: {type: integer}}
        - {name: offset, in: query, schema: {type: integer}}
        - {name: page, in: query, schema: {type: integer}}
        - {name: starting_after, in: query, schema: {type: string}}
      responses:
        "200":
          description: a page
          content:
            application/json:
              schema: {type: object, required: [items, total], properties: {items: {type: array, items: {$ref: "#/components/schemas/Plant"}}, total: {type: integer}, has_more: {type: boolean}}}
    post:
      requestBody: {content: {application/json: {schema: {$ref: "#/components/schemas/Plant"}}}}
      responses: {"201": {description: the plant, content: {application/json: {schema: {$ref: "#/components/schemas/Plant"}}}}}
  /plants/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
    get: {responses: {"200": {description: the plant, content: {application/json: {schema: {$ref: "#/components/schemas/Plant"}}}}}}
components:
  schemas:
    Plant: {type: object, required: [id, name], properties: {id: {type: integer}, name: {type: string}, tag: {type: string}}}
`
