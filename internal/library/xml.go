package library

func (c *call) readXML() bool { return false }
