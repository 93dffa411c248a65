package cases

// The numbers of the plain requests that phases begin with: what each creates is its own.
const (
	firstSecurityRequest    = 10_001
	firstMethodRequest      = 20_000
	firstNegotiationRequest = 30_000
)

// Limits of what is made and looked at.
const (
	attempts           = 20      // values of a parameter: a style cannot write every value
	maxGenerated       = 1 << 16 // characters of a string, and properties, that are generated to meet a bound
	maxItemsMade       = 2000    // items of a list that is made to meet a bound
	maxRepeats         = 300     // bytes of a text whose end is repeated until its pattern does not allow it
	maxZeros           = 30      // the largest exponent that is written out
	maxNaturalKeyDepth = 3       // natural keys are looked for in {"data": {"name": …}}
	suffixLength       = 5       // characters of the end that makes a text differ from others
	maxChanged         = 6       // letters and digits that are changed if a pattern admits no such end
	shown              = 60      // bytes of a value in a title

	maxSites    = 1000 // of one value
	maxRounds   = 2    // through a schema that leads back to itself
	maxDepth    = 24   // of places within each other
	maxBases    = 3    // conforming drafts that a proposal is tried on
	maxLike     = 12   // bodies that are made to find one that takes the right branches
	maxVariants = 24   // branches of a body that are looked into beside those that the template takes
	maxBranches = 40   // of one anyOf or oneOf that are tried
	maxForeign  = 6    // branches that are tried with a property of another, and such properties

	maxFruitless = 50  // random attempts in a row that make no case, after which there are no more
	maxPlaces    = 500 // of one draft that are looked at
)
