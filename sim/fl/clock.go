package fl

// Clock measures the simulated time that a server waits for its clients. One exchange with a client takes
//
//	latency + (floats down + floats up) / bandwidth
//
// seconds. The server waits for the last reply, or until the deadline; a client that has not
// replied by then has dropped out of the round. Without a deadline the server does not wait for
// clients that drop out by themselves.
type Clock struct {
	Latency   []float64 // latency of each client for one round trip, in seconds
	Bandwidth []float64 // bandwidth of each client, in floats per second
	Deadline  float64   // deadline of an exchange, in seconds; 0 for none
	Elapsed   float64   // since the run began

	exchange float64 // duration of the current exchange so far, in seconds
}

// misses reports whether client i misses the deadline with these numbers of floats down and up, and extends the exchange
// by its time.
func (c *Clock) misses(i int, down, up int64) bool {
	took := c.Latency[i] + float64(down+up)/c.Bandwidth[i]
	if c.Deadline > 0 && took > c.Deadline {
		c.exchange = c.Deadline
		return true
	}
	c.exchange = max(c.exchange, took)
	return false
}

// waitForDeadline extends the exchange for a client that never replies.
func (c *Clock) waitForDeadline() { c.exchange = max(c.exchange, c.Deadline) }

// end ends the exchange and adds its duration to Elapsed.
func (c *Clock) end() {
	c.Elapsed += c.exchange
	c.exchange = 0
}
