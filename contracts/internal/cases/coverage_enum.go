package cases

import (
	"encoding/json"
	"math/big"
	"strings"
)

// proposeEnum sends each listed value, and some that are near one.
func proposeEnum(_ *coverage, s *site, p *proposals) {
	values := s.constraints.values
	if values == nil {
		return
	}
	code := "enum"
	if len(values) == 1 {
		code = ""
	}
	var texts []string
	for _, v := range values {
		if text, ok := v.(string); ok {
			texts = append(texts, text)
		}
	}
	if len(texts) > 0 {
		p.refused(essential, code, "not listed", "not-a-value", "zzz", texts[0]+"x", texts[0]+texts[0])
		p.refused(usual, code, "in another case", anyOther(texts)...)
		p.refused(exotic, code, "cut short", texts[0][:len(texts[0])/2], "")
	} else if top := largest(values); top != nil {
		p.refused(essential, code, "not listed", number(new(big.Rat).Add(top, big.NewRat(1, 1))), json.Number("-1"))
	} else {
		p.refused(essential, code, "not listed", "not-a-value", json.Number("123456"), true, false)
	}
	for _, v := range values {
		p.accepted(usual, "as listed", v)
	}
}

// anyOther gives the texts in other cases.
func anyOther(texts []string) []any {
	var all []any
	for _, text := range texts {
		if other := otherCase(text); other != text {
			all = append(all, other)
		}
		if text != "" {
			if title := strings.ToUpper(text[:1]) + strings.ToLower(text[1:]); title != text {
				all = append(all, title)
			}
		}
	}
	return all
}

func largest(values []any) *big.Rat {
	var top *big.Rat
	for _, v := range values {
		if n, ok := v.(json.Number); ok {
			if r, ok := new(big.Rat).SetString(boundedNumber(n)); ok && (top == nil || r.Cmp(top) > 0) {
				top = r
			}
		}
	}
	return top
}
