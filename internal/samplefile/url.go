package samplefile

import "strconv"

// Origin is a placeholder for the address of the server that serves the pictures of URL. It is longer than most real
// addresses, so that the final URL does not exceed the length in its schema.
const Origin = "https://the-address-by-which-clients-reach-this-mock.coldframe.example"

// ImagePath is the prefix of the pictures' paths.
const ImagePath = "/__coldframe/images/"

// URL returns the URL of a picture with a name: a word, or words with hyphens.
func URL(name string, width, height int) string {
	return Origin + ImagePath + name + ".png?size=" + strconv.Itoa(width) + "x" + strconv.Itoa(height)
}
