package jsontext

import "encoding/json"

const (
	maxFlatMembers = 16
	maxFlatText    = 1<<16 - 1 // bytes
)

// Flat is a small object without nested arrays and objects. Its members are offsets into its text, so reading it
// allocates nothing. The zero value is an empty object.
type Flat struct {
	text    string
	members [maxFlatMembers]flatMember
	len     int
}

type flatMember struct{ name, nameEnd, value, valueEnd uint16 }

// Scan reads an object of strings, numbers, booleans and null. It returns false if Decode would refuse the text, if
// it is anything else, if the object is not small, or if a string has an escape.
func (f *Flat) Scan(text string) bool {
	f.text, f.len = text, 0
	s := Scanner{text: text, most: 1}
	if len(text) > maxFlatText || s.Peek() != '{' {
		return false
	}
	s.pos++
	for s.Peek() != '}' || f.len > 0 {
		if !f.member(&s) {
			return false
		}
		if c := s.Peek(); c == '}' {
			break
		} else if c != ',' {
			return false
		}
		s.pos++
	}
	s.pos++
	return s.End() == nil
}

// member reads a member at the current position.
func (f *Flat) member(s *Scanner) bool {
	if s.Peek() != '"' || f.len == maxFlatMembers {
		return false
	}
	start := s.pos + 1
	name, err := s.String()
	end := s.pos - 1
	if err != nil || len(name) != end-start || f.Index(name) >= 0 || s.Peek() != ':' {
		return false
	}
	s.pos++
	s.space()
	value := s.pos
	if !s.plain() {
		return false
	}
	f.members[f.len] = flatMember{uint16(start), uint16(end), uint16(value), uint16(s.pos)}
	f.len++
	return true
}

// plain reads a value that is neither an array, an object, nor a string with escapes.
func (s *Scanner) plain() bool {
	var err *SyntaxError
	switch start, c := s.pos, s.Peek(); c {
	case '{', '[':
		return false
	case '"':
		var text string
		text, err = s.String()
		return err == nil && len(text) == s.pos-start-2
	case 't':
		err = s.Literal("true")
	case 'f':
		err = s.Literal("false")
	case 'n':
		err = s.Literal("null")
	default:
		_, err = s.Number()
	}
	return err == nil
}

// Text returns the text of the object.
func (f *Flat) Text() string { return f.text }

// Len returns the number of members.
func (f *Flat) Len() int { return f.len }

// Name returns the name of a member.
func (f *Flat) Name(i int) string { return f.text[f.members[i].name:f.members[i].nameEnd] }

// JSON returns the value of a member, as Append would write it.
func (f *Flat) JSON(i int) string { return f.text[f.members[i].value:f.members[i].valueEnd] }

// Index returns the index of the member with a name, negative if none.
func (f *Flat) Index(name string) int {
	for i := range f.len {
		if f.Name(i) == name {
			return i
		}
	}
	return -1
}

// PlainValue returns the value of a JSON text that is a string without escapes, a number, or a literal.
func PlainValue(text string) any {
	switch text[0] {
	case '"':
		return text[1 : len(text)-1]
	case 't', 'f':
		return text == "true"
	case 'n':
		return nil
	}
	return json.Number(text)
}
