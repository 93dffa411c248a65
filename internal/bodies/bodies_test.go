package bodies

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

func TestRead(t *testing.T) {
	broken := errors.New("broken")
	for _, c := range []struct {
		name      string
		body      io.Reader
		announced int64
		limit     int
		want      int // bytes
		err       error
	}{
		{"empty", strings.NewReader(""), 0, 10, 0, nil},
		{"announced", strings.NewReader("0123456789"), 10, 10, 10, nil},
		{"not announced", strings.NewReader("0123456789"), -1, 10, 10, nil},
		{"byte by byte", iotest.OneByteReader(strings.NewReader(strings.Repeat("a", 5000))), -1, 5000, 5000, nil},
		{"its end with its last byte", iotest.DataErrReader(strings.NewReader("0123456789")), -1, 10, 10, nil},
		{"announced too large", iotest.ErrReader(broken), 11, 10, 0, ErrTooLarge},
		{"too large", strings.NewReader("0123456789a"), -1, 10, 0, ErrTooLarge},
		{"no limit", strings.NewReader("0123456789"), -1, int(^uint(0) >> 1), 10, nil},
		{"cut off", strings.NewReader("012345678"), 10, 10, 0, io.ErrUnexpectedEOF},
		{"broken", io.MultiReader(strings.NewReader("0"), iotest.ErrReader(broken)), 10, 10, 0, broken},
	} {
		t.Run(c.name, func(t *testing.T) {
			body, err := new(Share).Read(c.body, c.announced, c.limit)
			if len(body) != c.want || !errors.Is(err, c.err) {
				t.Errorf("%d bytes, %v", len(body), err)
			}
		})
	}
}

// A body takes at most twice the bytes received, whatever is announced, and frees all of it.
func TestMemoryFollowsWhatCame(t *testing.T) {
	budget := NewBudget(1 << 20)
	for _, came := range []int{1, free, free + 1, 100_000} {
		share := Share{Of: budget}
		broken := errors.New("broken")
		sent := io.MultiReader(bytes.NewReader(make([]byte, came)), iotest.ErrReader(broken))
		if _, err := share.Read(sent, 10<<20, 10<<20); !errors.Is(err, broken) {
			t.Error(err)
		}
		if used := budget.Used(); used > max(2*int64(came)-free, 0) {
			t.Errorf("%d bytes came, %d are taken", came, used)
		}
		share.Release()
		if budget.Used() != 0 {
			t.Errorf("%d bytes are not given back", budget.Used())
		}
	}
}

// Bodies beyond the budget are refused; small ones never are.
func TestBudget(t *testing.T) {
	budget := NewBudget(100_000)
	read := func(size int) (*Share, error) {
		share := &Share{Of: budget}
		_, err := share.Read(bytes.NewReader(make([]byte, size)), int64(size), 1<<20)
		return share, err
	}
	first, err := read(90_000)
	if err != nil {
		t.Fatal(err)
	}
	second, err := read(90_000)
	if !errors.Is(err, ErrNoRoom) {
		t.Error(err)
	}
	second.Release()
	if _, err := read(free); err != nil {
		t.Error(err)
	}
	first.Release()
	if _, err := read(90_000); err != nil {
		t.Error(err)
	}
}

// Values take their memory of the budget: of a body that never has room, of one for which others leave none, and again.
func TestReadValues(t *testing.T) {
	budget := NewBudget(4 << 20)
	body := []byte("[" + strings.Repeat("{},", 10_000) + "0]")
	first, second := Share{Of: budget}, Share{Of: budget}
	if err := first.ReadValues(body); err != nil {
		t.Error(err)
	}
	if want := int64(20_002*perValue - free); budget.Used() != want {
		t.Errorf("%d bytes are taken, want %d", budget.Used(), want)
	}
	third := Share{Of: budget}
	if err := second.ReadValues(body); err != nil {
		t.Error(err)
	}
	if err := third.ReadValues(body); !errors.Is(err, ErrNoRoom) {
		t.Errorf("the third: %v", err)
	}
	second.Release()
	if err := third.ReadValues(body); err != nil {
		t.Errorf("the third, after the second: %v", err)
	}
	if err := new(Share).ReadValues(body); err != nil {
		t.Errorf("without a budget: %v", err)
	}
	if err := (&Share{Of: budget}).ReadValues(bytes.Repeat([]byte("{},"), 30_000)); !errors.Is(err, ErrValues) {
		t.Errorf("too many: %v", err)
	}
}
