// Command baseline is the least that a fiber application can do for POST
// /plants: always the same answer. It is what the mock's throughput is
// compared with.
package main

import (
	"fmt"
	"log"
	"net"

	"github.com/gofiber/fiber/v2"
)

func main() {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("http://%s\n", listener.Addr())
	answer := []byte(`{"name":"Fern","tag":"shade"}`)
	app := fiber.New(fiber.Config{DisableStartupMessage: true})
	app.Post("/plants", func(c *fiber.Ctx) error {
		c.Set(fiber.HeaderContentType, fiber.MIMEApplicationJSON)
		return c.Send(answer)
	})
	log.Fatal(app.Listener(listener))
}
