package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/valyala/fasthttp"
)

// connections are open at a time.
const connections = 32

var headers = map[string]string{
	"Authorization": "Bearer token", "Content-Type": "application/json", "User-Agent": "bench",
}

// ask sends a request once, and returns the answer's status and body.
func ask(address string, r row) (int, []byte, error) {
	request, err := http.NewRequest(r.method, "http://"+address+r.path, strings.NewReader(r.body))
	if err != nil {
		return 0, nil, err
	}
	for name, value := range headers {
		request.Header.Set(name, value)
	}
	if r.body == "" {
		request.Body = nil
		request.Header.Del("Content-Type")
	}
	response, err := (&http.Client{Timeout: patience, Transport: &http.Transport{DisableKeepAlives: true}}).Do(request)
	if err != nil {
		return 0, nil, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	return response.StatusCode, body, err
}

// checked asks for the first and the last number of a row, and returns the last answer if both are what they must be.
func checked(p *process, r row, constant []byte) (body []byte, err error) {
	r = p.asked(r)
	for _, n := range []int{1, r.last()} {
		var status int
		if status, body, err = ask(p.address, r.numbered(n)); err != nil {
			return nil, err
		}
		if status != r.status {
			return nil, fmt.Errorf("%s answers %s with %d, not %d: %.300s", p.name, r.name, status, r.status, body)
		}
		if constant == nil {
			err = r.want.check(body, p.name)
		} else if !bytes.Equal(body, constant) {
			err = fmt.Errorf("it is not %.300s", constant)
		}
		if err != nil {
			return nil, fmt.Errorf("%s answers %s wrong: %w: %.300s", p.name, r.name, err, body)
		}
	}
	return body, nil
}

// check says whether the answer of a server has what it must have.
func (w *want) check(body []byte, server string) error {
	exact, kept := !strings.HasPrefix(server, "prism"), server == "coldframe" || server == "log"
	objects := make([]map[string]json.RawMessage, 1)
	if w.items > 0 {
		objects = nil
		if w.below != "" {
			var wrapper map[string]json.RawMessage
			if err := json.Unmarshal(body, &wrapper); err != nil {
				return err
			}
			body = wrapper[w.below]
		}
		if err := json.Unmarshal(body, &objects); err != nil {
			return err
		}
		if len(objects) == 0 || kept && len(objects) != w.items {
			return fmt.Errorf("it has %d items, not %d", len(objects), w.items)
		}
	} else if err := json.Unmarshal(body, &objects[0]); err != nil {
		return err
	}
	for _, o := range objects {
		for name, value := range w.properties {
			if got, ok := o[name]; !ok || exact && value != "" && string(got) != value {
				return fmt.Errorf("its %s is %.100s, not %s", name, got, value)
			}
		}
	}
	return nil
}

// keep creates plants from 1 on, and returns the time for each.
func keep(p *process, plants int) (time.Duration, error) {
	var next atomic.Int64
	var all sync.WaitGroup
	failed := make(chan error, connections)
	client := &fasthttp.HostClient{Addr: p.address, MaxConns: connections}
	began := time.Now()
	create := row{method: "POST", path: "/plants", body: plant}
	for range connections {
		all.Go(func() {
			request, response := fasthttp.AcquireRequest(), fasthttp.AcquireResponse()
			for n := int(next.Add(1)); n <= plants; n = int(next.Add(1)) {
				one := create.numbered(n)
				request.SetRequestURI("http://" + p.address + one.path)
				request.Header.SetMethod(one.method)
				for name, value := range headers {
					request.Header.Set(name, value)
				}
				request.SetBodyString(one.body)
				err := client.Do(request, response)
				if err == nil && response.StatusCode() != 201 {
					err = fmt.Errorf("%s answers %d: %.300s", p.name, response.StatusCode(), response.Body())
				}
				if err != nil {
					failed <- err
					return
				}
			}
		})
	}
	all.Wait()
	select {
	case err := <-failed:
		return 0, err
	default:
		return time.Since(began) / time.Duration(plants), nil
	}
}
