package generate

import (
	"cmp"
	"encoding/base64"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/coldframe/coldframe/internal/fields"
	"github.com/coldframe/coldframe/internal/formats"
	"github.com/coldframe/coldframe/internal/naming"
	"github.com/coldframe/coldframe/internal/samplefile"
	"github.com/coldframe/coldframe/internal/tree"
	"github.com/coldframe/coldframe/internal/words"
)

// picture is the size in pixels of what a URL shows; 0: one of pictureSizes.
type picture struct {
	width, height int
	person        bool // it shows the person that the surrounding object describes
}

// pictureHint returns the hint of a name that ends like names of pictures, nil for others.
func pictureHint(name string) *hint {
	// Words that distinguish pictures of one thing: avatarLarge, imageOriginalUrl.
	isVariant := func(w string) bool { return words.Parts.Has(w, "picture-variant") }
	own := naming.Words(name)
	if n := len(own) - 1; n > 0 && (own[0] == "url" || own[0] == "uri") { // urlThumb
		own = append(own[1:], own[0])
	} else if n > 0 && (own[n] == "https" || own[n] == "http") { // avatar_https
		own[n] = "url"
	}
	if len(own) > 1 {
		own = slices.Concat(own[:1], slices.DeleteFunc(slices.Clone(own[1:]), isVariant))
	}
	for i := range own {
		joined := strings.Join(own[i:], "")
		for _, name := range []string{joined, strings.TrimSuffix(joined, "s")} {
			if h := pictureHints()[name]; h != nil {
				return h
			}
		}
	}
	return nil
}

// sizeHint returns the hint of a name that is a size of the picture that an object describes, nil for others.
func sizeHint(name string, of fields.Thing) *hint {
	if h := pictureHints()[of.Name()]; h != nil && words.Parts.Has(naming.Fold(name), "picture-size") {
		return h
	}
	return nil
}

// linkWords end the names of addresses.
var linkWords = words.RoleOf("link-word")

// pictureHints are the hints of all names of pictures: "avatar", "avatarurl", "photourls" through its singular. See
// words.Pictures.
var pictureHints = sync.OnceValue(func() map[string]*hint {
	all := map[string]*hint{}
	for c := range words.Pictures.Rows() {
		width, _ := strconv.Atoi(c[1])
		height, _ := strconv.Atoi(c[2])
		h := picture{width, height, c[3] == "person"}.hint()
		for end := range linkWords.All() {
			all[c[0]+end], all[c[0]+"image"+end] = h, h
		}
		if c[4] == "alone" {
			all[c[0]] = h
		}
	}
	return all
})

func (p picture) hint() *hint {
	write := func(f *formats.Faker, at fields.Context, format string) string {
		if format == "byte" {
			return fileText(samplefile.OfExtension("png"), at)
		}
		return "https://example.com/images/" + formats.Noun(f.Seed(at.Key)) + ".png"
	}
	return &hint{picture: &p, Hint: fields.Hint{
		Texts: []fields.Maker{write}, Formats: append(strings.Fields(fields.URIFormats), "byte"),
	}}
}

var pictureSizes = [][2]int{{320, 240}, {640, 480}, {800, 600}, {1024, 768}, {1200, 800}, {600, 600}}

// pictureSize returns the size of the picture that the surrounding object describes.
func pictureSize(object Key) (width, height int) {
	s := pictureSizes[object.at(3).intN(len(pictureSizes))]
	return s[0], s[1]
}

// url returns the URL of a picture that the mock serves itself.
func (p *picture) url(f *formats.Faker, at valueContext) string {
	width, height := p.width, p.height
	if width == 0 {
		width, height = pictureSize(at.object)
	}
	if p.person {
		f.Seed(uint64(at.object.at(1))) // as package fields does
		first := f.FirstName()
		return samplefile.URL(formats.LocalPart(first)+"-"+formats.LocalPart(f.LastName()), width, height)
	}
	f.Seed(uint64(at.key))
	return samplefile.URL(formats.Adjective(f)+"-"+formats.Noun(f), width, height)
}

// shortestURL is the length of the shortest URL that Origin may become.
const shortestURL = 50

// acceptsPicture reports whether a string may be the URL of a picture, whatever takes the place of its origin.
func (sh *shape) acceptsPicture(url string) bool {
	if sh.MinLength > shortestURL || !sh.acceptsText(url) {
		return false
	}
	if len(sh.Patterns) == 0 && len(sh.failed) == 0 {
		return true
	}
	rest := strings.TrimPrefix(url, samplefile.Origin)
	return sh.acceptsText("http://127.0.0.1:4010"+rest) && sh.acceptsText("https://api.example.org"+rest)
}

// describePicture makes an object with a URL, a width and a height describe a picture.
func (p *objectPlan) describePicture() {
	var url, width, height *propertyPlan
	for i := range p.named {
		switch e, name := &p.named[i], strings.ToLower(p.named[i].name); {
		case name == "width":
			width = e
		case name == "height":
			height = e
		case linkWords.Has(name):
			url = cmp.Or(url, e)
		}
	}
	if url == nil || width == nil || height == nil {
		return
	}
	url.hint, width.hint, height.hint = anyPicture, pictureWidth, pictureHeight
}

var (
	anyPicture    = picture{}.hint()
	pictureWidth  = sideHint(func(width, _ int) int { return width })
	pictureHeight = sideHint(func(_, height int) int { return height })
)

// sideHint suggests a side of the picture that the surrounding object describes.
func sideHint(side func(width, height int) int) *hint {
	length := func(at fields.Context) int { return side(pictureSize(Key(at.Object))) }
	write := func(_ *formats.Faker, at fields.Context, _ string) string { return strconv.Itoa(length(at)) }
	window := func(_ *formats.Faker, at fields.Context) fields.Window {
		n := int64(length(at))
		return fields.Window{Lo: n, Hi: n, Scale: 1}
	}
	return &hint{Hint: fields.Hint{Texts: []fields.Maker{write}, Numbers: window}}
}

// fileHint suggests files for strings that hold one in Base64 (JSON Schema, content vocabulary); nil for others.
func fileHint(n *tree.Node) *hint {
	kind := samplefile.OfType(n.Get("contentMediaType").Str())
	if kind == nil || n.Get("contentEncoding").Str() != "base64" {
		return nil
	}
	write := func(_ *formats.Faker, at fields.Context, _ string) string { return fileText(kind, at) }
	return &hint{Hint: fields.Hint{Formats: []string{"byte"}, Texts: []fields.Maker{write}}}
}

// fileText returns a small file in Base64.
func fileText(kind *samplefile.Kind, at fields.Context) string {
	file := kind.Make(samplefile.Content{Key: at.Key, Width: 32, Height: 32})
	return base64.StdEncoding.EncodeToString(file)
}
