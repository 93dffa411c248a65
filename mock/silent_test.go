package mock_test

import (
	"net"
	"strings"
	"testing"

	"github.com/coldframe/coldframe/mock/mocktest"
)

// TestCloseWithSilentConnections holds the server to stop in good order while
// connections are open over which nothing has come.
func TestCloseWithSilentConnections(t *testing.T) {
	server := mocktest.Start(t, "")
	for range 3 {
		conn, err := net.Dial("tcp", strings.TrimPrefix(server.URL(), "http://"))
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
	}
	if err := server.Close(); err != nil {
		t.Error(err)
	}
}
