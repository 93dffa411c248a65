// Command bench compares mocks with constant answers, over sockets:
//
//	go run ./internal/testbench/bench [-rows plants] [-servers coldframe,prism] [-rounds 7] [-seconds 1]
//
// Each row of its tables is a kind of request. In each round every server is loaded in turn, over 32 connections,
// another one first each time: what else the machine does meets all of them. Figures are medians of the rounds, ratios
// medians of the rounds' ratios to a fiber application that always sends an answer of the same size. A server that
// answers wrong, or anything but 2xx, ends the program.
//
// It needs Linux (/proc) and wrk. Rows of GitHub's document need the folder of real documents (COLDFRAME_CORPUS), Prism
// needs node and npm; what is missing is left out with a message. -profile FOLDER writes a CPU profile of coldframe for
// each row.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

type options struct {
	rows    *regexp.Regexp
	servers []string
	rounds  int
	seconds int
	least   float64
	profile string // folder; "" if none
	work    string // folder of this run
}

func main() {
	o := options{rows: regexp.MustCompile("")}
	setRows := func(s string) (err error) {
		o.rows, err = regexp.Compile(s)
		return err
	}
	flag.Func("rows", "`REGEXP` of the rows to measure (default all): "+strings.Join(rowNames(), ", "), setRows)
	servers := flag.String("servers", "", "`LIST` of servers beside constant and coldframe (default all): "+
		strings.Join(serverNames(), ","))
	flag.IntVar(&o.rounds, "rounds", 7, "`number` of rounds")
	flag.IntVar(&o.seconds, "seconds", 1, "`number` of seconds that a server is loaded in a round")
	flag.Float64Var(&o.least, "least", 0, "least `ratio` of coldframe's throughput to the constant answer's, else fail")
	flag.StringVar(&o.profile, "profile", "", "write CPU profiles of coldframe into this `FOLDER`")
	if len(os.Args) == 4 && children[os.Args[1]] != nil { // started by this program itself
		check(children[os.Args[1]](os.Args[2], os.Args[3]))
		return
	}
	flag.Parse()
	o.servers = slices.DeleteFunc(strings.Split(*servers, ","), func(s string) bool { return s == "" })
	check(run(&o))
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(o *options) (err error) {
	if flag.NArg() > 0 || o.rounds < 1 || o.seconds < 1 {
		return errors.New("-rounds and -seconds are at least 1, and there are no arguments; see -help")
	}
	for _, name := range o.servers {
		if !slices.Contains(serverNames(), name) {
			return fmt.Errorf("there is no server %q; there are: %s", name, strings.Join(serverNames(), ", "))
		}
	}
	if o.work, err = os.MkdirTemp("", "bench"); err != nil {
		return err
	}
	defer os.RemoveAll(o.work)
	if o.profile != "" {
		if o.profile, err = filepath.Abs(o.profile); err != nil {
			return err
		}
		if err := os.MkdirAll(o.profile, 0o777); err != nil {
			return err
		}
	}
	began := time.Now()
	programs, err := prepare(o)
	if err != nil {
		return err
	}
	var loads []result
	for _, d := range documents() {
		if d.rows = chosen(o, d.rows); len(d.rows) == 0 {
			continue
		}
		more, err := load(o, programs, &d)
		if errors.Is(err, errNoCorpus) {
			fmt.Println(d.name, "is left out:", err)
			continue
		}
		if err != nil {
			return fmt.Errorf("%s: %w", d.name, err)
		}
		loads = append(loads, more...)
	}
	starts, err := measureStarts(o, programs)
	if err != nil {
		return err
	}
	if len(loads)+len(starts) == 0 {
		return fmt.Errorf("-rows matches nothing that can be measured here; rows: %s", strings.Join(rowNames(), ", "))
	}
	printLoads(loads)
	printStarts(starts)
	fmt.Printf("\n%d rounds of %d s, in %v\n", o.rounds, o.seconds, time.Since(began).Round(time.Second))
	return below(loads, o.least)
}

// below fails where coldframe has less than this share of the constant answer's throughput.
func below(all []result, least float64) error {
	for _, r := range all {
		if r.server == "coldframe" && r.rate.ratio < least {
			return fmt.Errorf("%s: coldframe has %.2f of the constant answer's throughput, not %.2f", r.row, r.rate.ratio, least)
		}
	}
	return nil
}

func chosen(o *options, rows []row) []row {
	return slices.DeleteFunc(rows, func(r row) bool { return !o.rows.MatchString(r.name) })
}

func rowNames() (names []string) {
	for _, d := range documents() {
		for _, r := range d.rows {
			names = append(names, r.name)
		}
	}
	for _, s := range startNames {
		names = append(names, "start-"+s)
	}
	return names
}
