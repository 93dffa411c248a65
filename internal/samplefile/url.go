package samplefile

import "strconv"

// Origin stands for the address of the server that serves the pictures of URL. It is longer than most addresses that
// take its place, so that a URL does not outgrow what its schema allows.
const Origin = "https://the-address-by-which-clients-reach-this-mock.coldframe.example"

// ImagePath is what the paths of these pictures begin with.
const ImagePath = "/__coldframe/images/"

// URL returns the URL of a picture of a name, which is a word, or words with hyphens.
func URL(name string, width, height int) string {
	return Origin + ImagePath + name + ".png?size=" + strconv.Itoa(width) + "x" + strconv.Itoa(height)
}
