package cases

import (
	"cmp"
	"image"
	"image/jpeg"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/coldframe/coldframe/internal/generate"
	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/naming"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/words"
)

// make makes a value of the body: with required properties only, or with all.
func (b *body) make(key generate.Key, have map[string]any, fill string) (any, error) {
	return b.makeFrom(b.source.examples(), key, have, fill)
}

func (b *body) makeFrom(examples bool, key generate.Key, have map[string]any, fill string) (any, error) {
	from := b.made
	if examples {
		from = b.exampled
	}
	if from.all == nil {
		if b.IsJSON() {
			return map[string]any{}, nil
		}
		return "text", nil
	}
	have = b.withGiven(have, key)
	g := from.all
	if fill != "all" {
		g = from.minimal
	}
	var value any
	var err error
	if len(have) > 0 {
		value, err = g.Fill(key, have)
	} else {
		value, err = g.Value(key)
	}
	if err != nil {
		return nil, err
	}
	if fill != "all" {
		value = b.withNeeds(value, from, key, have)
	}
	return b.withFiles(b.withoutTestSteps(b.distinguish(withPaths(b.withItems(value, have), have), key, have))), nil
}

// withGiven adds to have the values of Builder.SetValues that it lacks, with templates filled in for one request.
func (b *body) withGiven(have map[string]any, key generate.Key) map[string]any {
	given := b.source.given()
	if len(given) == 0 {
		return have
	}
	all := expanded(given, key).(map[string]any)
	maps.Copy(all, have)
	return all
}

// withItems puts values into the objects of a body that is a list, if their schema has properties of these names.
func (b *body) withItems(value any, have map[string]any) any {
	if _, isList := value.([]any); !isList || len(have) == 0 || b.Schema == nil {
		return value
	}
	known := schema.Properties(schema.Items(b.Schema.Keywords))
	for _, name := range slices.Sorted(maps.Keys(have)) {
		if known[name] != nil {
			value = withPath(value, []string{"*", name}, have[name])
		}
	}
	return value
}

// withPaths puts values at paths such as items.0.sku and items.*.sku whose parents exist.
func withPaths(value any, have map[string]any) any {
	_, isList := value.([]any)
	for _, name := range slices.Sorted(maps.Keys(have)) {
		if tokens := strings.Split(name, "."); len(tokens) > 1 || isList || strings.HasSuffix(name, "?") {
			value = withPath(value, tokens, have[name])
		}
	}
	return value
}

// withReferences puts values of have in place of properties that are there.
func withReferences(value any, have map[string]any) any {
	for _, name := range slices.Sorted(maps.Keys(have)) {
		tokens := strings.Split(strings.TrimSuffix(name, "?")+"?", ".")
		value = withPath(value, tokens, have[name])
	}
	return value
}

func withPath(value any, tokens []string, part any) any {
	if len(tokens) == 0 {
		return part
	}
	switch v := value.(type) {
	case []any:
		v = slices.Clone(v)
		for i := range v {
			if tokens[0] == "*" || tokens[0] == strconv.Itoa(i) {
				v[i] = withPath(v[i], tokens[1:], part)
			}
		}
		return v
	case map[string]any:
		name, isOptional := strings.CutSuffix(tokens[0], "?") // see itempool.Pool.References
		if inner, has := v[name]; has || len(tokens) == 1 && !isOptional {
			v = maps.Clone(v)
			v[name] = withPath(inner, tokens[1:], part)
		}
		return v
	}
	return value
}

// withoutTestSteps makes a JSON Patch (RFC 6902) of the one step that is the least likely
// to fail at an item that is not known: no made-up test, and no removal of what
// may not be there. It keeps the patch if the schema allows nothing else.
func (b *body) withoutTestSteps(value any) any {
	steps, ok := value.([]any)
	if !ok || resource.PatchOf(b.Subtype) != resource.JSONPatch {
		return value
	}
	for _, op := range []string{"add", "replace"} {
		for _, step := range steps {
			given, ok := step.(map[string]any)
			if !ok {
				continue
			}
			changed := maps.Clone(given)
			changed["op"] = op
			if alone := []any{changed}; b.Conforms(alone) {
				return alone
			}
		}
	}
	return value
}

// naturalKey is a text of a body that should differ from item to item, which the schema leaves open.
type naturalKey struct {
	tokens   []string // of the JSON Pointer to it
	room     int      // characters that it may have
	email    bool
	patterns []schema.Regexp
}

// naturalEndings end names of properties of which many backends refuse a second item with the same value; naturalWholes
// are such names as a whole.
var (
	naturalEndings = words.RoleOf("natural-ending")
	naturalWholes  = words.RoleOf("natural-whole")
)

func mayBeNaturalKey(name string) bool {
	folded := naming.Fold(name)
	for i := range folded {
		if naturalEndings.Has(folded[i:]) {
			return true
		}
	}
	return naturalWholes.Has(folded)
}

func naturalKeysIn(schemas []*spec.Keywords, tokens []string) []naturalKey {
	all := combined(schemas...)
	depth := len(tokens)
	var found []naturalKey
	if depth > 0 && mayBeNaturalKey(tokens[depth-1]) {
		if room, email := freeLength(all); room > 0 {
			found = append(found, naturalKey{tokens, room, email, patternsIn(all)})
		}
	}
	if depth == maxNaturalKeyDepth {
		return found
	}
	properties := map[string][]*spec.Keywords{}
	for _, k := range all {
		for name, property := range k.Properties {
			properties[name] = append(properties[name], property)
		}
	}
	for name, schemas := range properties {
		found = append(found, naturalKeysIn(schemas, append(slices.Clip(tokens), name))...)
	}
	return found
}

// combined returns schemas with all that they refer to and are put together of.
func combined(schemas ...*spec.Keywords) []*spec.Keywords {
	var all []*spec.Keywords
	for _, root := range schemas {
		for k := range schema.Possible(root) {
			if !slices.Contains(all, k) {
				all = append(all, k)
			}
		}
	}
	return all
}

// freeLength returns the length that a text may have; 0 if the schemas say more of it than that.
func freeLength(all []*spec.Keywords) (room int, email bool) {
	room = 1 << 10
	for _, k := range all {
		if k.Enum != nil || k.Const != nil || k.Not != nil || k.If != nil ||
			k.Format != nil && k.Format.Name != "email" {
			return 0, false
		}
		email = email || k.Format != nil
		if k.MaxLength != nil {
			room = min(room, *k.MaxLength)
		}
	}
	return room, email
}

// distinguish returns a copy of a value whose natural keys have an end that hardly any other key leads to. Values of
// have stay unchanged, and templates of Builder.SetValues are filled in again.
func (b *body) distinguish(value any, key generate.Key, have map[string]any) any {
	return b.distinguishBut(value, key, have, nil)
}

// distinguishBut is distinguish without the natural keys and templates that except reports, if it is not nil. Ends that
// keys have already are replaced then.
func (b *body) distinguishBut(value any, key generate.Key, have map[string]any, except func([]string) bool) any {
	isIn := func(values map[string]any, tokens []string) bool {
		return slices.ContainsFunc(append(slices.Clip(tokens), strings.Join(tokens, ".")),
			func(name string) bool { _, is := values[name]; return is })
	}
	isFixed := func(tokens []string) bool { return isIn(have, tokens) || except != nil && except(tokens) }
	for _, n := range b.naturalKeys {
		at, _ := jsonvalue.At(value, n.tokens)
		text, ok := at.(string)
		if !ok || isIn(b.source.given(), n.tokens) || isFixed(n.tokens) {
			continue
		}
		if end := len(text) - suffixLength - 1; except != nil && end > 0 && strings.ContainsAny(text[end:end+1], " -") {
			text = text[:end]
		}
		own := key
		for _, name := range n.tokens {
			own = own.Child(name)
		}
		value, _ = jsonvalue.With(value, n.tokens, n.withEnd(text, own))
	}
	for name, given := range b.source.given() {
		tokens := strings.Split(name, ".")
		_, there := jsonvalue.At(value, tokens)
		if isTemplate(given) && !isFixed(tokens) && (there || strings.Contains(name, "*")) {
			value = withPath(value, tokens, expanded(given, key.Child(name)))
		}
	}
	return value
}

func patternsIn(all []*spec.Keywords) (patterns []schema.Regexp) {
	for _, k := range all {
		if k.Pattern != nil {
			patterns = append(patterns, k.Pattern)
		}
	}
	return patterns
}

// withEnd is withSuffix for a text that patterns hold: with an end behind, else with others of its kind in place of its
// last letters and digits; the text itself if neither fits.
func (n *naturalKey) withEnd(text string, key generate.Key) string {
	if len(n.patterns) == 0 {
		return n.withSuffix(text, key)
	}
	other, changed := []byte(text), 0
	for i, left := len(other)-1, uint64(key); i >= 0 && changed < maxChanged; i-- {
		for _, kind := range [...]string{"0123456789", "abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"} {
			if strings.IndexByte(kind, other[i]) >= 0 {
				size := uint64(len(kind))
				other[i], left, changed = kind[left%size], left/size, changed+1
				break
			}
		}
	}
	for _, candidate := range [...]string{n.withSuffix(text, key), string(other)} {
		lacks := func(p schema.Regexp) bool { return !p.MatchString(candidate) }
		if !slices.ContainsFunc(n.patterns, lacks) {
			return candidate
		}
	}
	return text
}

func (n *naturalKey) withSuffix(text string, key generate.Key) string {
	end := strconv.FormatUint(uint64(key), 36)
	end = end[max(0, len(end)-suffixLength):]
	if n.email || strings.Contains(text, "@") { // the domain may have to exist
		local, domain, ok := strings.Cut(text, "@")
		if !ok || len(local)+len(end)+1 > 64 || len(text)+len(end)+1 > n.room {
			return text
		}
		return local + "." + end + "@" + domain
	}
	between := "-"
	if strings.Contains(text, " ") {
		between = " "
	}
	if room := n.room - len(end) - 1; utf8.RuneCountInString(text) > room {
		if room < 1 {
			return text
		}
		text = strings.TrimRight(string([]rune(text)[:room]), " ")
	}
	return text + between + end
}

// sampleFiles are whole files of media types, as small as can be: a backend may look into what it is sent.
var sampleFiles = map[string]string{
	"image/png": "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x06\x00\x00\x00\x1f\x15\xc4\x89" +
		"\x00\x00\x00\rIDATx\x9cc\xf8\xff\xff?\x00\x05\xfe\x02\xfe\xa75\x81\x84\x00\x00\x00\x00IEND\xaeB`\x82",
	"image/gif":        "GIF89a\x01\x00\x01\x00\x80\x00\x00\xff\xff\xff\x00\x00\x00!\xf9\x04\x01\x00\x00\x00\x00,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;",
	"image/jpeg":       sampleJPEG(),
	"image/svg+xml":    `<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>`,
	"application/pdf":  "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n",
	"application/zip":  "PK\x05\x06\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00",
	"application/gzip": "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\x03\x00\x00\x00\x00\x00\x00\x00\x00\x00",
	"text/csv":         "name,count\r\nmoss,1\r\nfern,2\r\n",
	"text/html":        "<!doctype html><title>plant</title>",
	"text/markdown":    "# Plant\n",
	"application/yaml": "name: moss\n",
	"text/calendar":    "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//example//EN\r\nEND:VCALENDAR\r\n",
}

// sampleJPEG returns a JPEG of one pixel, which is longer than one would write by hand.
func sampleJPEG() string {
	var b strings.Builder
	if err := jpeg.Encode(&b, image.NewGray(image.Rect(0, 0, 1, 1)), nil); err != nil {
		panic(err) // a builder takes everything
	}
	return b.String()
}

func sampleFile(mediaType string) string {
	if end := strings.IndexAny(mediaType, ",;"); end >= 0 {
		mediaType = mediaType[:end]
	}
	mediaType = strings.ToLower(strings.TrimSpace(mediaType))
	if mediaType == "image/*" {
		mediaType = "image/png"
	}
	return sampleFiles[mediaType]
}

// structured reports whether the schema says all of what a body of the media
// type holds.
func (b *body) structured() bool {
	return b.IsJSON() || b.Type == "multipart" || b.Subtype == "x-www-form-urlencoded" || b.isXML()
}

func (b *body) isXML() bool { return b.Subtype == "xml" || strings.HasSuffix(b.Subtype, "+xml") }

// rawContent returns the content of a body whose schema says nothing of its form: the
// document's example, or a file.
func (b *body) rawContent() (string, bool) {
	if b.structured() || b.Range == "*/*" {
		return "", false
	}
	for _, e := range b.Examples {
		if text, ok := e.Value.(string); ok && len(e.Broken) == 0 {
			return text, true
		}
	}
	text := sampleFile(b.Concrete())
	return text, text != ""
}

// filesOf finds the properties of a multipart body that are files, with what
// they hold; "" for anything.
func filesOf(media *spec.MediaType) map[string]string {
	if media.Type != "multipart" || media.Schema == nil {
		return nil
	}
	files := map[string]string{}
	for name, k := range media.Schema.Properties() {
		kind, file := "", false
		for _, part := range combined(k, k.Items2020) {
			raw := media.Schema.Node(part)
			said := raw.Get("contentMediaType").Str()
			kind = cmp.Or(said, kind)
			file = file || said != "" || raw.Get("format").Str() == "binary"
		}
		if e := media.Encoding[name]; e != nil && e.ContentType != "" && !strings.HasSuffix(e.ContentType, "json") {
			kind = e.ContentType
		}
		if file {
			files[name] = sampleFile(kind)
		}
	}
	return files
}

func (b *body) withFiles(value any) any {
	if text, ok := b.rawContent(); ok {
		if b.Conforms(text) {
			return text
		}
		return value
	}
	object, ok := value.(map[string]any)
	if !ok || len(b.files) == 0 {
		return value
	}
	for name, content := range b.files {
		at, has := object[name]
		if !has || content == "" {
			continue
		}
		var file any = content
		if list, ok := at.([]any); ok {
			file = slices.Repeat([]any{content}, len(list))
		}
		if changed := mergeObjects(object, map[string]any{name: file}); b.Conforms(changed) {
			object = changed.(map[string]any)
		}
	}
	return object
}
