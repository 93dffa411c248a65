//go:build unix

package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
)

// consumer is a client's test suite: it reads paths below COLDFRAME_URL, and needs a word in each response.
//
//	consumer [PATH WORD ...]
func consumer() {
	for i := 1; i+1 < len(os.Args); i += 2 {
		response, err := http.Get(os.Getenv("COLDFRAME_URL") + os.Args[i])
		if err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		body, _ := io.ReadAll(response.Body)
		if response.StatusCode >= 400 || !strings.Contains(string(body), os.Args[i+1]) {
			fmt.Printf("GET %s: status %d, no %s\n", os.Args[i], response.StatusCode, os.Args[i+1])
			os.Exit(1)
		}
	}
}
