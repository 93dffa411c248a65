package mock

import (
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"
)

// BenchmarkJournalCost creates plants over HTTP at a mock with a journal and at one
// without, in turns of 50, so that what else the machine does meets both. It reports
// by how much the median turn is longer with the journal, in percent.
func BenchmarkJournalCost(b *testing.B) {
	const turn = 50
	with, without := start(b, Options{}), start(b, Options{Control: ControlOptions{Journal: -1}})
	create := func(s *Server) {
		r, err := http.NewRequest("POST", s.URL()+"/plants", strings.NewReader(`{"id":9007199254740993,"name":"Monstera deliciosa","tag":"foliage"}`))
		if err != nil {
			b.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Authorization", "Bearer token")
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			b.Fatal(err)
		}
		io.Copy(io.Discard, answer.Body)
		answer.Body.Close()
		if answer.StatusCode != 200 {
			b.Fatal(answer.Status)
		}
	}
	var took [2][]time.Duration
	n := 0
	for b.Loop() {
		for i := range 2 {
			at := (i + n) % 2 // who begins changes
			s := []*Server{without, with}[at]
			began := time.Now()
			for range turn {
				create(s)
			}
			took[at] = append(took[at], time.Since(began))
		}
		n++
	}
	median := func(d []time.Duration) float64 {
		slices.Sort(d)
		return float64(d[len(d)/2])
	}
	b.ReportMetric(100*(median(took[1])/median(took[0])-1), "%/journal")
}
