// Package loading limits the time and the number of values for loading documents, data and scenarios.
package loading

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
)

// DefaultTimeout is the default limit of the time for loading.
const DefaultTimeout = time.Minute

// WithTimeout returns a context that ends after a limit; 0 means DefaultTimeout. Its cause names the flag that raises
// the limit.
func WithTimeout(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	limit = cmp.Or(limit, DefaultTimeout)
	return context.WithTimeoutCause(ctx, limit,
		fmt.Errorf("it took longer than %v; if that is all right, raise --load-timeout", limit))
}

// Until returns the result of load. If the context is done first, it returns an Ended at once, even if load is
// blocked, such as on a pipe without a writer. load then continues in the background, so it must watch the context,
// and nobody else may use its data.
func Until[T any](ctx context.Context, load func() (T, error)) (T, error) {
	type result struct {
		value T
		err   error
	}
	loaded := make(chan result, 1)
	go func() {
		value, err := load()
		loaded <- result{value, err}
	}()
	select {
	case r := <-loaded:
		if r.err != nil && ctx.Err() != nil && errors.Is(r.err, ctx.Err()) {
			r.err = &Ended{ctx.Err(), context.Cause(ctx)}
		}
		return r.value, r.err
	case <-ctx.Done():
		var none T
		return none, &Ended{ctx.Err(), context.Cause(ctx)}
	}
}

// Ended says why loading was abandoned.
type Ended struct {
	err, cause error
}

func (e *Ended) Error() string { return e.cause.Error() }

// Unwrap returns the context's error.
func (e *Ended) Unwrap() error { return e.err }

// Values estimates the number of values in a JSON or YAML text by counting separators. It is seldom too low. It needs
// no memory, unlike a YAML reader before it could count.
func Values(text string) int {
	values := 1
	for _, separator := range []string{",", "\n", "[", "{"} {
		values += strings.Count(text, separator)
	}
	return values
}

// Budget limits the values that may be loaded together.
type Budget struct {
	most, used int
	option     string // the option that raises the limit
}

// NewBudget returns a budget of most values. Errors name the option that raises it.
func NewBudget(most int, option string) *Budget { return &Budget{most: most, option: option} }

// Part returns a budget for the remaining values, but no more than most, which another option raises.
func (b *Budget) Part(most int, option string) *Budget {
	if left := max(0, b.most-b.used); left <= most {
		most, option = left, b.option
	}
	return NewBudget(most, option)
}

// Take takes the values of a text from the budget. The error has their number, the limit, and the option that raises
// it.
func (b *Budget) Take(text string) error {
	values := Values(text)
	if b.used += values; b.used <= b.most {
		return nil
	}
	together := ""
	if b.used > values {
		together = fmt.Sprintf(" (with the files before it %d)", b.used)
	}
	return fmt.Errorf("the file has about %d values%s, more than the %d that may be loaded; raise %s", values, together,
		b.most, b.option)
}
