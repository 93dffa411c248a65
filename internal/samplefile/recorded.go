package samplefile

import "embed"

// files has a second of silence, of a tone and of a picture in each container, and a font with a box for each ASCII
// character. Tests read each by the specification of its format.
//
//go:embed files
var files embed.FS

// recorded returns a file that is the same for every content.
func recorded(name string) func(*Content) []byte {
	return func(*Content) []byte {
		data, err := files.ReadFile("files/" + name)
		if err != nil {
			panic(err) // cannot happen with the name of an embedded file
		}
		return data
	}
}
