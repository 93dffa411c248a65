package cases

// All stands for the credentials of all alternatives of an operation at once.
const All = -1

// Prefer says which alternative of the operation's security cases carry the
// credentials of, by its index. Default 0.
func (m *Builder) Prefer(alternative int) { m.preferred.Store(int32(alternative)) }

// Preferred gives the alternative whose credentials cases carry.
func (m *Builder) Preferred() int { return int(m.preferred.Load()) }

// Credentials gives those of the preferred alternative.
func (m *Builder) Credentials() []Credential {
	i, security := m.Preferred(), m.operation.Security
	switch {
	case len(security) == 0:
		return nil
	case i != All:
		return GivenFor(security[i])
	}
	var all []Credential
	for _, alternative := range security {
		all = append(all, GivenFor(alternative)...)
	}
	return all
}
