// Command shop stands for the tests of a front end: it does what users do, at
// the backend that API_URL names.
package main

import (
	"context"
	"errors"
	"log"
	"os"

	store "github.com/coldframe/coldframe/examples/go-test"
)

func main() {
	client := &store.Client{URL: os.Getenv("API_URL"), Token: "token"}
	plant, err := client.Create(context.Background(), store.Plant{ID: 7, Name: "Boston Fern", Tag: "fern"})
	if err != nil || plant.Name != "Boston Fern" || plant.Tag != "fern" {
		log.Fatal(plant, err)
	}
	var refused *store.Error
	client.Token = ""
	if _, err := client.Create(context.Background(), store.Plant{ID: 7, Name: "Boston Fern"}); !errors.As(err,
		&refused) || refused.Message == "" {
		log.Fatal("a stranger's plant: ", err)
	}
	log.Print("the shop works")
}
