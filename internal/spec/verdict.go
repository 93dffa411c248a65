package spec

import (
	"encoding/json"
	"math/big"
	"strconv"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Conforms reports whether a value conforms to a compiled schema. It says the
// same as k.Validate(value) == nil, but for ordinary schemas and values it
// finds out without building what Validate builds to explain itself, in a small
// part of its time.
func Conforms(k *Keywords, value any) bool {
	switch judge(k, value) {
	case conforms:
		return true
	case breaks:
		return false
	}
	return affordable(k, value) && k.Validate(value) == nil
}

// judge gives a quick verdict.
func judge(k *Keywords, value any) verdict {
	j := judgement{steps: maxJudgeSteps}
	return j.judge(k, value, 0)
}

// verdict is what judge knows about a value.
type verdict uint8

const (
	unsure   verdict = iota // ask Validate
	breaks                  // Validate refuses it
	conforms                // Validate accepts it
)

// A judgement is unsure after so many steps and so deep: branches that refer to
// themselves can be followed for ever, which Validate knows to detect.
const (
	maxJudgeSteps = 1 << 18
	maxJudgeDepth = 256
)

// judgement is one value being judged.
type judgement struct{ steps int }

// The bits of the JSON types in Types.
var (
	nullBit    = typeBit("null")
	booleanBit = typeBit("boolean")
	numberBit  = typeBit("number")
	integerBit = typeBit("integer")
	stringBit  = typeBit("string")
	arrayBit   = typeBit("array")
	objectBit  = typeBit("object")
)

func typeBit(name string) jsonschema.Types {
	var t jsonschema.Types
	t.Add(name)
	return t
}

// judge holds a value to a schema. Keywords that depend on others
// (unevaluated*), on the way to them ($dynamicRef), or that are rare make it
// unsure.
func (j *judgement) judge(k *Keywords, value any, depth int) verdict {
	if k.Bool != nil {
		return is(*k.Bool)
	}
	j.steps--
	if j.steps < 0 || k.DraftVersion != 2020 || depth > maxJudgeDepth || k.DynamicRef != nil || k.RecursiveRef != nil ||
		k.UnevaluatedProperties != nil || k.UnevaluatedItems != nil || len(k.Extensions) > 0 {
		return unsure
	}
	result := judgeType(k, value)
	if result != conforms {
		return result
	}
	if k.Const != nil {
		result = result.and(equal(value, *k.Const))
	}
	if k.Enum != nil {
		result = result.and(judgeEnum(k.Enum.Values, value))
	}
	if k.Format != nil {
		if k.Format.Name == "regex" { // has an engine of its own
			return unsure
		}
		result = result.and(is(k.Format.Validate(value) == nil))
	}
	if result == breaks {
		return breaks
	}
	switch v := value.(type) {
	case map[string]any:
		result = result.and(j.object(k, v, depth))
	case []any:
		result = result.and(j.array(k, v, depth))
	case string:
		result = result.and(judgeString(k, v))
	case json.Number:
		result = result.and(judgeNumber(k, v))
	}
	if result == breaks {
		return breaks
	}
	return result.and(j.inPlace(k, value, depth+1))
}

// and is the verdict on two demands.
func (a verdict) and(b verdict) verdict {
	switch {
	case a == breaks || b == breaks:
		return breaks
	case a == unsure || b == unsure:
		return unsure
	}
	return conforms
}

func is(ok bool) verdict {
	if ok {
		return conforms
	}
	return breaks
}

func judgeType(k *Keywords, value any) verdict {
	var bit jsonschema.Types
	switch v := value.(type) {
	case nil:
		bit = nullBit
	case bool:
		bit = booleanBit
	case string:
		bit = stringBit
	case []any:
		bit = arrayBit
	case map[string]any:
		bit = objectBit
	case json.Number:
		if k.Types == nil || k.Types.IsEmpty() || *k.Types&numberBit != 0 {
			return conforms
		}
		if *k.Types&integerBit == 0 {
			return breaks
		}
		if _, ok := smallInteger(v); ok {
			return conforms
		}
		return unsure
	default:
		return unsure
	}
	return is(k.Types == nil || k.Types.IsEmpty() || *k.Types&bit != 0)
}

// inPlace holds a value to the schemas that k puts beside its own
// keywords.
func (j *judgement) inPlace(k *Keywords, value any, depth int) verdict {
	result := conforms
	if k.Ref != nil {
		result = j.judge(k.Ref, value, depth)
	}
	for _, part := range k.AllOf {
		if result == breaks {
			return breaks
		}
		result = result.and(j.judge(part, value, depth))
	}
	if len(k.AnyOf) > 0 {
		result = result.and(j.anyOf(k.AnyOf, value, depth))
	}
	if len(k.OneOf) > 0 {
		result = result.and(j.oneOf(k.OneOf, value, depth))
	}
	if k.Not != nil {
		result = result.and(j.judge(k.Not, value, depth).not())
	}
	if k.If != nil && (k.Then != nil || k.Else != nil) {
		result = result.and(j.branch(k, value, depth))
	}
	return result
}

func (a verdict) not() verdict {
	switch a {
	case conforms:
		return breaks
	case breaks:
		return conforms
	}
	return unsure
}

func (j *judgement) anyOf(branches []*Keywords, value any, depth int) verdict {
	result := breaks
	for _, branch := range branches {
		switch j.judge(branch, value, depth) {
		case conforms:
			return conforms
		case unsure:
			result = unsure
		}
	}
	return result
}

func (j *judgement) oneOf(branches []*Keywords, value any, depth int) verdict {
	holding, open := 0, 0
	for _, branch := range branches {
		switch j.judge(branch, value, depth) {
		case conforms:
			holding++
		case unsure:
			open++
		}
		if holding > 1 {
			return breaks
		}
	}
	if open > 0 {
		return unsure
	}
	return is(holding == 1)
}

func (j *judgement) branch(k *Keywords, value any, depth int) verdict {
	var then *Keywords
	switch j.judge(k.If, value, depth) {
	case conforms:
		then = k.Then
	case breaks:
		then = k.Else
	default:
		return unsure
	}
	if then == nil {
		return conforms
	}
	return j.judge(then, value, depth)
}

func (j *judgement) object(k *Keywords, object map[string]any, depth int) verdict {
	if k.MinProperties != nil && len(object) < *k.MinProperties || k.MaxProperties != nil && len(object) > *k.MaxProperties {
		return breaks
	}
	for _, name := range k.Required {
		if _, ok := object[name]; !ok {
			return breaks
		}
	}
	if k.Dependencies != nil || k.PropertyNames != nil || k.DependentSchemas != nil || k.DependentRequired != nil {
		return unsure
	}
	if len(k.Properties) == 0 && len(k.PatternProperties) == 0 && k.AdditionalProperties == nil {
		return conforms
	}
	result := conforms
	for name, value := range object {
		result = result.and(j.property(k, name, value, depth+1))
		if result == breaks {
			return breaks
		}
	}
	return result
}

func (j *judgement) property(k *Keywords, name string, value any, depth int) verdict {
	result, listed := conforms, false
	if property, ok := k.Properties[name]; ok {
		result, listed = j.judge(property, value, depth), true
	}
	for pattern, property := range k.PatternProperties {
		if pattern.MatchString(name) {
			result, listed = result.and(j.judge(property, value, depth)), true
		}
	}
	if listed {
		return result
	}
	switch additional := k.AdditionalProperties.(type) {
	case bool:
		return is(additional)
	case *Keywords:
		return j.judge(additional, value, depth)
	}
	return conforms
}

func (j *judgement) array(k *Keywords, array []any, depth int) verdict {
	if k.MinItems != nil && len(array) < *k.MinItems || k.MaxItems != nil && len(array) > *k.MaxItems {
		return breaks
	}
	if k.Contains != nil || k.UniqueItems && len(array) > 1 {
		return unsure
	}
	result := conforms
	for i, item := range array {
		switch {
		case i < len(k.PrefixItems):
			result = result.and(j.judge(k.PrefixItems[i], item, depth+1))
		case k.Items2020 != nil:
			result = result.and(j.judge(k.Items2020, item, depth+1))
		}
		if result == breaks {
			return breaks
		}
	}
	return result
}

func judgeString(k *Keywords, text string) verdict {
	if k.ContentEncoding != nil || k.ContentMediaType != nil || k.ContentSchema != nil {
		return unsure
	}
	if k.MinLength != nil || k.MaxLength != nil {
		length := utf8.RuneCountInString(text)
		if k.MinLength != nil && length < *k.MinLength || k.MaxLength != nil && length > *k.MaxLength {
			return breaks
		}
	}
	return is(k.Pattern == nil || k.Pattern.MatchString(text))
}

// judgeNumber compares integers with bounds that are integers too.
func judgeNumber(k *Keywords, number json.Number) verdict {
	if k.Minimum == nil && k.Maximum == nil && k.ExclusiveMinimum == nil && k.ExclusiveMaximum == nil && k.MultipleOf == nil {
		return conforms
	}
	n, ok := smallInteger(number)
	if !ok {
		return unsure
	}
	for _, bound := range [...]struct {
		value *big.Rat
		holds func(n, bound int64) bool
	}{
		{k.Minimum, func(n, bound int64) bool { return n >= bound }},
		{k.Maximum, func(n, bound int64) bool { return n <= bound }},
		{k.ExclusiveMinimum, func(n, bound int64) bool { return n > bound }},
		{k.ExclusiveMaximum, func(n, bound int64) bool { return n < bound }},
		{k.MultipleOf, func(n, factor int64) bool { return n%factor == 0 }},
	} {
		switch {
		case bound.value == nil:
		case !bound.value.IsInt() || !bound.value.Num().IsInt64():
			return unsure
		case !bound.holds(n, bound.value.Num().Int64()):
			return breaks
		}
	}
	return conforms
}

// smallInteger reads an integer that is written plainly and surely fits.
func smallInteger(number json.Number) (int64, bool) {
	digits := string(number)
	if len(digits) > 0 && digits[0] == '-' {
		digits = digits[1:]
	}
	if len(digits) == 0 || len(digits) > 18 {
		return 0, false
	}
	for i := range len(digits) {
		if digits[i] < '0' || digits[i] > '9' {
			return 0, false
		}
	}
	n, err := strconv.ParseInt(string(number), 10, 64)
	return n, err == nil
}

func judgeEnum(values []any, value any) verdict {
	result := breaks
	for _, v := range values {
		switch equal(value, v) {
		case conforms:
			return conforms
		case unsure:
			result = unsure
		}
	}
	return result
}

// equal compares with a constant of the schema, as far as text suffices.
func equal(value, constant any) verdict {
	switch v := value.(type) {
	case nil:
		return is(constant == nil)
	case bool:
		c, ok := constant.(bool)
		return is(ok && c == v)
	case string:
		c, ok := constant.(string)
		return is(ok && c == v)
	case json.Number:
		if c, ok := constant.(json.Number); ok && c == v {
			return conforms
		}
	}
	return unsure
}
