package contracts

import "errors"

// Why a run ends before it is done. Report.Ended says which.
var (
	errOutOfTime   = errors.New("the time was up (--max-time)")
	errStopped     = errors.New("the run was stopped")
	errUnreachable = errors.New("the backend could not be reached any more")
)

// AccessError says that a backend took none of the requests: not one operation
// could be tested.
type AccessError struct{ Message string }

func (e *AccessError) Error() string { return e.Message }
