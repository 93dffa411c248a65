// Command service is a backend of the Plant Store, for CI to test against its
// document. It has one fault, which baseline.json knows: a plant whose tag is
// null is taken as one without a tag.
package main

import (
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log"
	"mime"
	"net"
	"net/http"
	"os"
	"unicode/utf8"
)

func main() {
	address := flag.String("address", "127.0.0.1:8080", "where to listen")
	token := flag.String("token", cmp.Or(os.Getenv("SERVICE_TOKEN"), "secret"), "what clients must send")
	flag.Parse()
	listener, err := net.Listen("tcp", *address)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("http://" + listener.Addr().String())
	mux := http.NewServeMux()
	mux.HandleFunc("POST /plants", func(w http.ResponseWriter, r *http.Request) { create(w, r, *token) })
	log.Fatal(http.Serve(listener, mux))
}

type plant struct {
	ID   *int64  `json:"id,omitempty"`
	Name *string `json:"name"`
	Tag  *string `json:"tag,omitempty"`
}

func create(w http.ResponseWriter, r *http.Request, token string) {
	w.Header().Set("Content-Type", "application/json")
	if r.Header.Get("Authorization") != "Bearer "+token {
		refuse(w, "who are you?")
		return
	}
	if mediaType, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); mediaType != "application/json" {
		refuse(w, "only JSON is understood")
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20))
	if err != nil || !utf8.Valid(body) {
		refuse(w, "the body is too large, or not UTF-8")
		return
	}
	var p plant
	if err := json.Unmarshal(body, &p); err != nil || p.ID == nil || p.Name == nil {
		refuse(w, "a plant with an id and a name is needed")
		return
	}
	p.ID = nil // the answer is a Plant, which has none
	json.NewEncoder(w).Encode(p)
}

func refuse(w http.ResponseWriter, reason string) {
	w.WriteHeader(http.StatusBadRequest)
	json.NewEncoder(w).Encode(map[string]any{"error": http.StatusBadRequest, "message": reason})
}
