package doubt

import (
	"strings"
	"testing"
)

// harmless are sentences that say nothing of what a backend keeps, although they have words that others use for it.
var harmless = []string{
	"The logo has a white background.", "Nothing is cached.", "There is no delay.", "The house is open to everybody.",
	"Only the front door has a bell.", "The server room is cold.", "The archive is a stone house.",
	"The latest brochure is green.", "Questions must go to the office.", "The colours are always bright.",
	"Breakfast is served later.", "The default theme is dark.",
}

func TestHarmless(t *testing.T) {
	for _, p := range phrases() {
		for _, class := range p.classes {
			for _, text := range harmless {
				if found := In(Class(class), []string{"task", "dueDate"}, text); found != "" {
					t.Errorf("%s: %q", class, found)
				}
			}
		}
	}
}

func TestIn(t *testing.T) {
	for _, c := range []struct {
		class Class
		about string
		text  string
		want  string
	}{
		{Value, "", "A time. Set by the server.", "Set by the server."},
		{Value, "", "It is not set by the server.", ""},
		{Value, "state", "A new task is always open, whatever state is sent.", "A new task is always open, whatever state is sent."},
		{Value, "state", "A new task is always open.", ""},
		{Value, "dueDate", "The due date is always a Monday.", "The due date is always a Monday."},
		{Form, "", "Trims the title.", "Trims the title."},
		{Form, "", "In lowercase; nothing else.", "In lowercase;"},
		{Form, "", "Is normalised.", "Is normalised."},
		{Form, "", "Is never trimmed.", ""},
		{Gone, "tasks", "Archives a task.", "Archives a task."},
		{Gone, "tasks", "Archives a note.", ""},
		{Late, "tasks", "A change may take a minute to show.", "A change may take a minute to show."},
		{Late, "tasks", "Tasks are approved first.", "Tasks are approved first."},
		{Gone, "notes", "Its notes stay.", "Its notes stay."},
	} {
		var about []string
		if c.about != "" {
			about = []string{c.about}
		}
		if got := In(c.class, about, c.text); got != c.want {
			t.Errorf("%s %q: got %q, want %q", c.class, c.text, got, c.want)
		}
	}
}

// TestPhrases checks that the table is small, and that each row is complete.
func TestPhrases(t *testing.T) {
	if n := len(phrases()); n > 71 {
		t.Errorf("there are %d phrases, and 71 are the most", n)
	}
	for row := range strings.Lines(table) {
		cells := strings.Split(strings.TrimRight(row, "\n"), "\t")
		if len(cells) != 5 {
			t.Errorf("%q has %d cells", row, len(cells))
			continue
		}
		if first := strings.TrimSpace(stems(cells[0])); cells[3] != "-" && cells[0] != "phrase" &&
			!strings.Contains(stems(cells[2]), " "+first+" ") {
			t.Errorf("the sentence %q has not %q", cells[2], cells[0])
		}
	}
}
