package respond

import (
	"cmp"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/naming"
	"github.com/coldframe/coldframe/internal/samplefile"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/words"
)

// generic are words of paths that say what is done with a file, not what it is.
var generic = words.RoleOf("file-word")

// fileName returns the name of a file with its extension: the one that the document has for it, or else the last
// thing that the path names: /invoices/7/pdf is invoice-7.pdf.
func fileName(q *Request, documented *spec.Response, kind *samplefile.Kind) string {
	if name := documentedName(q, documented, kind); name != "" {
		return name
	}
	return titleOf(q, kind) + "." + kind.Extension
}

// titleOf returns the name of a file without its extension, after the last thing that the path names.
func titleOf(q *Request, kind *samplefile.Kind) string {
	name, variables := "", slices.Clone(q.Variables)
	for segment := range strings.SplitSeq(q.Operation.Path, "/") {
		lower := strings.ToLower(segment)
		if isGeneric := generic.Has(lower) || lower == kind.Extension; segment != "" &&
			!strings.Contains(segment, "{") && (name == "" || !isGeneric) {
			name = strings.TrimSuffix(segment, "."+kind.Extension)
		}
	}
	words := naming.Words(cmp.Or(name, "file"))
	for len(words) > 1 && generic.Has(words[len(words)-1]) { // invoices-export
		words = words[:len(words)-1]
	}
	if len(variables) > 0 {
		words[len(words)-1] = naming.Singular(words[len(words)-1])
		named := variables[len(variables)-1]
		if len(variables) > 1 && samplefile.OfExtension(named) == kind { // {invoice}.{format}
			named = variables[len(variables)-2]
		}
		words = append(words, exchange.Shorten(named, 40))
	}
	return strings.Map(fileCharacter, strings.Join(words, "-"))
}

// namedFile matches the file name in a literal of Content-Disposition (RFC 6266 section 4), quotedFile a quoted name.
var (
	namedFile  = regexp.MustCompile(`(?i)filename\*?=(?:UTF-8'')?(?:"([^"]+)"|([^\s";,)]+))`)
	quotedFile = regexp.MustCompile("[\"'`]([\\w{}.-]+\\.[A-Za-z0-9{}]{2,10})[\"'`]")
)

// documentedName returns the file name that the description of Content-Disposition has as a literal, with the values
// of the path's variables and the extension of the kind; "" if it has none.
func documentedName(q *Request, documented *spec.Response, kind *samplefile.Kind) string {
	h := dispositionOf(documented)
	if h == nil {
		return ""
	}
	texts := []string{h.Description}
	if s := h.ValueSchema(); s != nil {
		texts = append(texts, s.Node(s.Keywords).Get("description").Str())
	}
	for _, text := range texts {
		found := namedFile.FindStringSubmatch(text)
		if found == nil {
			found = quotedFile.FindStringSubmatch(text)
		}
		if found == nil {
			continue
		}
		name := strings.TrimRight(strings.Join(found[1:], ""), ".")
		for variable, value := range q.Values.Path {
			text, _ := jsonvalue.Text(value)
			name = strings.ReplaceAll(name, "{"+variable+"}", exchange.Shorten(text, 40))
		}
		if name = strings.Map(fileCharacter, name); strings.ContainsAny(name, "{}") || name == "" {
			continue
		}
		return strings.TrimSuffix(name, path.Ext(name)) + "." + kind.Extension
	}
	return ""
}

// dispositionOf returns the field Content-Disposition of a response, nil if the document has none.
func dispositionOf(documented *spec.Response) *spec.Parameter {
	if documented == nil {
		return nil
	}
	i := slices.IndexFunc(documented.Headers, func(h *spec.Parameter) bool {
		return strings.EqualFold(h.Name, "Content-Disposition")
	})
	if i < 0 {
		return nil
	}
	return documented.Headers[i]
}

// fileCharacter returns a hyphen for what may not stand in the names of files and in quoted strings.
func fileCharacter(r rune) rune {
	if r > ' ' && r <= '~' && !strings.ContainsRune(`"\/:*?<>|%`, r) {
		return r
	}
	return '-'
}
