package backends

import (
	"encoding/json"
	"net/http"
	"slices"
)

// libraryService is books, their copies and covers, members and loans.
func libraryService() Service {
	return Service{
		Name:        "library",
		Document:    libraryDocument,
		Credentials: map[string]string{"token": staffToken, "key": apiKey, "auditor": userName + ":" + password},
		Header: http.Header{
			"Authorization": {"Bearer " + staffToken},
			"X-Api-Key":     {apiKey},
		},
		routes: func(s *Server) []operation {
			return slices.Concat(bookRoutes(s), copyRoutes(s), coverRoutes(s), memberRoutes(s), loanRoutes(s), exportRoutes(s))
		},
		errors: problemJSON,
		reset:  stockLibrary,
	}
}

// stockLibrary puts in what the document's examples speak of.
func stockLibrary(s *Server) {
	books := s.collection("books")
	for _, b := range []struct {
		isbn, title, author, genre string
		pages                      string
	}{
		{"9780141439518", "Pride and Prejudice", "Jane Austen", "fiction", "432"},
		{"9780140449136", "Crime and Punishment", "Fyodor Dostoevsky", "fiction", "671"},
		{"9780553380163", "A Brief History of Time", "Stephen Hawking", "science", "212"},
	} {
		k := &check{s: &Server{}}
		value := newBook(k, "", map[string]any{
			"isbn": b.isbn, "title": b.title, "genre": b.genre, "pages": json.Number(b.pages),
			"authors": []any{map[string]any{"name": b.author}},
		})
		s.keepBook(books, value.(map[string]any))
	}
	k := &check{s: &Server{}}
	member := newMember(k, "", map[string]any{
		"name": "Ada Lovelace", "email": "ada@example.org", "pin": "1815",
		"contact": map[string]any{"phone": "+442079460000"},
	})
	s.keepMember(s.collection("members"), member.(map[string]any))
}
