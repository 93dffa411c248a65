package main

import (
	"fmt"
	"slices"
	"syscall"
	"time"

	"github.com/coldframe/coldframe"
)

// startNames are documents whose start is measured: the Plant Store, and documents of the corpus.
var startNames = []string{"plants", "github", "xero-accounting", "adyen-checkout-v71", "paypal-orders-v2", "qdrant"}

// startServers are those whose start is measured.
var startServers = []string{"coldframe", "prism", "kin-openapi"}

// started is a start: until the first answer, its processor time included.
type started struct {
	document, server string
	took, cpu        float64 // ms
	memory           memory  // at the first answer
}

// measureStarts starts servers in turn, and returns medians.
func measureStarts(o *options, p *programs) (all []started, err error) {
	for _, name := range startNames {
		if !o.rows.MatchString("start-" + name) {
			continue
		}
		d := document{name: "start-" + name, text: func() ([]byte, error) { return real(name) }}
		switch name {
		case "plants":
			d.text = func() ([]byte, error) { return coldframe.PlantStore, nil }
		case "github":
			d.text = github
		}
		file, err := d.write(o.work)
		if err == errNoCorpus {
			fmt.Println(d.name, "is left out:", err)
			continue
		}
		if err != nil {
			return nil, err
		}
		more, err := startAll(o, p, name, file)
		if err != nil {
			return nil, err
		}
		all = append(all, more...)
	}
	return all, nil
}

func startAll(o *options, p *programs, name, file string) (all []started, err error) {
	var chosen []server
	for _, s := range servers {
		if p.wanted(o, s.name, startServers) {
			chosen = append(chosen, s)
		}
	}
	runs := make([][]started, len(chosen))
	for round := range o.rounds {
		for i := range chosen {
			i = (i + round) % len(chosen)
			one, err := startOnce(p, chosen[i], file)
			if err != nil {
				return nil, err
			}
			runs[i] = append(runs[i], one)
		}
	}
	for i, s := range chosen {
		of := func(f func(started) float64) float64 {
			var values []float64
			for _, one := range runs[i] {
				values = append(values, f(one))
			}
			return median(values)
		}
		resident := of(func(s started) float64 { return s.memory.now })
		own := of(func(s started) float64 { return s.memory.own })
		all = append(all, started{
			name, s.name, of(func(s started) float64 { return s.took }), of(func(s started) float64 { return s.cpu }),
			memory{now: resident, own: own},
		})
	}
	return all, nil
}

// startOnce starts a server, sends it a request as soon as it accepts one, and ends it.
func startOnce(p *programs, s server, file string) (one started, err error) {
	began := time.Now()
	at, err := s.start(p, file)
	if err != nil {
		return one, err
	}
	_, _, err = ask(at.address, row{method: "GET", path: "/"})
	one.took = ms(time.Since(began))
	var failed error
	one.memory, failed = at.memory()
	at.end()
	if err == nil {
		err = failed
	}
	usage := at.command.ProcessState.SysUsage().(*syscall.Rusage)
	one.cpu = ms(time.Duration(usage.Utime.Nano() + usage.Stime.Nano()))
	return one, err
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

func printStarts(all []started) {
	if len(all) == 0 {
		return
	}
	fmt.Print("\nFrom the start of the process to the first answer:\n\n")
	columns := []string{"document"}
	for _, s := range servers {
		if slices.ContainsFunc(all, func(one started) bool { return one.server == s.name }) {
			columns = append(columns, s.title, "CPU", "resident", "of it own")
		}
	}
	heading(columns)
	for i, one := range all {
		if i == 0 || all[i-1].document != one.document {
			if i > 0 {
				fmt.Println()
			}
			fmt.Printf("| %s |", one.document)
		}
		fmt.Printf(" %.0f ms | %.0f ms | %.0f MiB | %.0f MiB |", one.took, one.cpu, one.memory.now, one.memory.own)
	}
	fmt.Println()
}
