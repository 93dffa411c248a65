package generate

import (
	"encoding/base64"
	"slices"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/fields"
	"github.com/coldframe/coldframe/internal/formats"
	"github.com/coldframe/coldframe/internal/naming"
	"github.com/coldframe/coldframe/internal/samplefile"
	"github.com/coldframe/coldframe/internal/tree"
)

// picture is the size in pixels of what a URL shows; 0: one of pictureSizes.
type picture struct {
	width, height int
	person        bool // it shows the person that the surrounding object is about
}

// pictureRules have the nouns that name pictures, with the size of these, and whether a string is a URL of one where
// the noun is all of the name and no format says so.
var pictureRules = []struct {
	nouns   string
	picture picture
	alone   bool
}{
	{"avatar", picture{128, 128, true}, true},
	{"portrait headshot gravatar profileimage profilepicture profilephoto", picture{256, 256, true}, false},
	{"image picture photo img", picture{640, 480, false}, true},
	{"thumbnail", picture{160, 120, false}, true},
	{"thumb preview screenshot snapshot still", picture{160, 120, false}, false},
	{"logo", picture{256, 256, false}, true},
	{"icon", picture{64, 64, false}, true},
	{"favicon", picture{64, 64, false}, true},
	{"badge emblem crest", picture{64, 64, false}, false},
	{"cover", picture{1200, 400, false}, true},
	{"banner header hero background backdrop", picture{1200, 400, false}, false},
	{"flag", picture{120, 80, false}, false},
	{"poster artwork", picture{400, 600, false}, false},
}

// pictureHint returns the hint of a name that ends like those of pictures, nil for others.
func pictureHint(name string) *hint {
	words := naming.Words(name)
	if n := len(words) - 1; n > 0 && (words[0] == "url" || words[0] == "uri") { // urlThumb
		words = append(words[1:], words[0])
	} else if n > 0 && (words[n] == "https" || words[n] == "http") { // avatar_https
		words[n] = "url"
	}
	if len(words) > 1 {
		words = slices.Concat(words[:1], slices.DeleteFunc(slices.Clone(words[1:]), sizes.Has))
	}
	for i := range words {
		joined := strings.Join(words[i:], "")
		for _, name := range []string{joined, strings.TrimSuffix(joined, "s")} {
			if h := pictureHints[name]; h != nil {
				return h
			}
		}
	}
	return nil
}

// sizes are words of names that tell pictures of one thing apart: avatarLarge, imageOriginalUrl.
var sizes = naming.LazySet("small medium large original full tiny big xlarge background additional front back static")

// sized are names of a picture's sizes, which are pictures in an object that is about one.
var sized = naming.LazySet("small medium large original full tiny thumb thumbnail square regular")

// sizeHint returns the hint of a name that is a size of the picture that an object is about, nil for others.
func sizeHint(name string, of fields.Thing) *hint {
	if h := pictureHints[of.Name()]; h != nil && sized.Has(naming.Fold(name)) {
		return h
	}
	return nil
}

// pictureHints are the hints of all names of pictures: "avatar", "avatarurl", "photourls" through its singular.
var pictureHints = func() map[string]*hint {
	all := map[string]*hint{}
	for _, rule := range pictureRules {
		h := rule.picture.hint()
		for noun := range strings.FieldsSeq(rule.nouns) {
			for _, end := range []string{"url", "uri", "imageurl", "imageuri", "src", "link", "href"} {
				all[noun+end] = h
			}
			if rule.alone {
				all[noun] = h
			}
		}
	}
	return all
}()

func (p picture) hint() *hint {
	write := func(f *formats.Faker, at fields.Place, format string) string {
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
func (p *picture) url(f *formats.Faker, at place) string {
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

// describePicture has an object of a URL, a width and a height describe a picture.
func (p *objectPlan) describePicture() {
	find := func(names ...string) *propertyPlan {
		i := slices.IndexFunc(p.named, func(e propertyPlan) bool { return slices.Contains(names, strings.ToLower(e.name)) })
		if i < 0 {
			return nil
		}
		return &p.named[i]
	}
	url, width, height := find("url", "src", "href", "uri"), find("width"), find("height")
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
	length := func(at fields.Place) int { return side(pictureSize(Key(at.Object))) }
	write := func(_ *formats.Faker, at fields.Place, _ string) string { return strconv.Itoa(length(at)) }
	window := func(_ *formats.Faker, at fields.Place) fields.Window {
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
	write := func(_ *formats.Faker, at fields.Place, _ string) string { return fileText(kind, at) }
	return &hint{Hint: fields.Hint{Formats: []string{"byte"}, Texts: []fields.Maker{write}}}
}

// fileText returns a small file in Base64.
func fileText(kind *samplefile.Kind, at fields.Place) string {
	file := kind.Make(samplefile.Content{Key: at.Key, Width: 32, Height: 32})
	return base64.StdEncoding.EncodeToString(file)
}
