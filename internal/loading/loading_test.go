package loading_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/coldframe/coldframe/internal/loading"
)

// TestUntil returns what is loaded, or why nobody waits for it any more.
func TestUntil(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	if got, err := loading.Until(ctx, func() (int, error) { return 7, nil }); got != 7 || err != nil {
		t.Error(got, err)
	}
	failed := errors.New("failed")
	if _, err := loading.Until(ctx, func() (int, error) { return 0, failed }); err != failed {
		t.Error(err)
	}
	blocked, left := make(chan bool), make(chan bool)
	_, err := loading.Until(ctx, func() (int, error) {
		cancel()
		<-blocked
		close(left)
		return 7, nil
	})
	if ended, ok := errors.AsType[*loading.Ended](err); !ok || !errors.Is(ended, context.Canceled) {
		t.Error(err)
	}
	close(blocked)
	<-left
}

func TestWithTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for limit, want := range map[time.Duration]time.Duration{0: loading.DefaultTimeout, time.Hour: time.Hour} {
			ctx, cancel := loading.WithTimeout(t.Context(), limit)
			began, block := time.Now(), make(chan int)
			_, err := loading.Until(ctx, func() (int, error) { return <-block, nil })
			if took := time.Since(began); took != want || !errors.Is(err, context.DeadlineExceeded) ||
				!strings.HasSuffix(err.Error(), "raise --load-timeout") {
				t.Errorf("%v: %v after %v", limit, err, took)
			}
			close(block)
			cancel()
		}
	})
}

// TestBudget counts the values of several texts together, and says what allows more.
func TestBudget(t *testing.T) {
	if got := loading.Values(`{"a": [1, 2, {"b": 3}]}`); got < 6 {
		t.Errorf("%d values", got)
	}
	b := loading.NewBudget(10, "A")
	if err := b.Take("1,2,3,4"); err != nil {
		t.Error(err)
	}
	part := b.Part(5, "B")
	if err := b.Part(100, "B").Take("1,2,3,4,5,6,7"); err == nil || err.Error() != "the file has about 7 values, more than the 6 that may be loaded; raise A" {
		t.Error(err)
	}
	if err := part.Take("1,2,3"); err != nil {
		t.Error(err)
	}
	if err := part.Take("1,2,3"); err == nil || err.Error() != "the file has about 3 values (with the files before it 6), more than the 5 that may be loaded; raise B" {
		t.Error(err)
	}
}
