// Package loading bounds what it takes to load documents, data and scenarios: time, and values.
package loading

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"
)

// DefaultTimeout is how long loading may take by default.
const DefaultTimeout = time.Minute

// WithTimeout returns a context that is done when loading has taken too long; 0 is DefaultTimeout. Its cause names the
// flag that allows more.
func WithTimeout(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	limit = cmp.Or(limit, DefaultTimeout)
	return context.WithTimeoutCause(ctx, limit,
		fmt.Errorf("it took longer than %v; if that is all right, raise --load-timeout", limit))
}

// Until returns what load returns. If the context is done before, it returns an Ended, whatever load is at: reading
// from a pipe that nobody writes to does not return. load then goes on in the background, so that it has to look at
// the context where it works, and nobody else may use what it works on.
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
		return r.value, r.err
	case <-ctx.Done():
		var none T
		return none, &Ended{ctx.Err(), context.Cause(ctx)}
	}
}

// Ended says why nobody waits any more.
type Ended struct {
	err, cause error
}

func (e *Ended) Error() string { return e.cause.Error() }

// Unwrap returns the context's error.
func (e *Ended) Unwrap() error { return e.err }

// Values estimates how many values a JSON or YAML text has, by what separates them. It is hardly ever too low, and
// takes no memory, as a reader of YAML does before anybody could count.
func Values(text string) int {
	values := 1
	for _, separator := range []string{",", "\n", "[", "{"} {
		values += strings.Count(text, separator)
	}
	return values
}

// Budget is how many values may be loaded together.
type Budget struct {
	most, used int
	option     string // that allows more
}

// NewBudget returns a budget of so many values. Errors name the option that allows more.
func NewBudget(most int, option string) *Budget { return &Budget{most: most, option: option} }

// Part returns a budget of what is left, and of no more than most, which another option raises.
func (b *Budget) Part(most int, option string) *Budget {
	if left := max(0, b.most-b.used); left <= most {
		most, option = left, b.option
	}
	return NewBudget(most, option)
}

// Take takes the values of a text. The error says how many there are, how many there may be, and what allows more.
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
