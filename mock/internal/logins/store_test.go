package logins

import (
	"fmt"
	"testing"
	"time"
)

// TestStoreIsBounded logs in more users than a session keeps: the newest are known, the oldest are not, and what is
// counted as memory is what was reported.
func TestStoreIsBounded(t *testing.T) {
	grown := int64(0)
	s := NewStore(func(bytes int64) { grown += bytes }, time.Now)
	for n := range maxTokens + 2000 {
		name := fmt.Sprintf("user%d", n)
		s.signUp(name, []string{name}, "password", true)
		s.Add("token of "+name, Token{User: name, Grant: s.grant()})
	}
	if want := int64(maxTokens * (accountBytes + tokenBytes)); s.Bytes() != want || grown < want {
		t.Errorf("%d bytes, %d were told, want %d", s.Bytes(), grown, want)
	}
	if _, known := s.Find("token of user0"); known {
		t.Error("the oldest token is known")
	}
	if _, _, known := s.account("user0", "password"); known {
		t.Error("the oldest user is known")
	}
	last := fmt.Sprintf("user%d", maxTokens+1999)
	if token, known := s.Find("token of " + last); !known || token.User != last {
		t.Errorf("the newest token: %+v, %t", token, known)
	}
	if _, isRight, known := s.account(" USER11999 ", "password"); !known || !isRight {
		t.Error("the newest user is not known by the password")
	}
	if _, isRight, _ := s.account(last, "another"); isRight {
		t.Error("another password is right")
	}
	if count, bytes := s.Clear(); count != 2*maxTokens || bytes == 0 || s.Bytes() != 0 {
		t.Errorf("cleared %d, %d bytes; %d are left", count, bytes, s.Bytes())
	}
}
