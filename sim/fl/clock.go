package fl

// Clock says how long a server waits for its clients. An exchange takes a client
//
//	latency + (floats down + floats up) / bandwidth
//
// seconds, and the server as long as the last answer takes, or until the deadline:
// who has not answered by then has dropped out of the round. A server that is not
// told of a deadline does not wait for those who drop out by themselves.
type Clock struct {
	Latency   []float64 // of each client, there and back, in seconds
	Bandwidth []float64 // of each client, in floats a second
	Deadline  float64   // of an exchange, in seconds; 0 for none
	Elapsed   float64   // since the run began

	exchange float64 // how long the present one has taken so far
}

// late reports whether client i, who has been sent so many floats and sends so
// many, misses the deadline. It moves the exchange's end.
func (c *Clock) late(i int, down, up int64) bool {
	took := c.Latency[i] + float64(down+up)/c.Bandwidth[i]
	if c.Deadline > 0 && took > c.Deadline {
		c.exchange = c.Deadline
		return true
	}
	c.exchange = max(c.exchange, took)
	return false
}

// miss is late for a client who is never heard of.
func (c *Clock) miss() { c.exchange = max(c.exchange, c.Deadline) }

// pass lets the exchange's time pass.
func (c *Clock) pass() {
	c.Elapsed += c.exchange
	c.exchange = 0
}
