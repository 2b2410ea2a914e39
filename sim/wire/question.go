package wire

import "encoding/binary"

// Question is the payload of [Explain]: it asks for the details of one round, counted from 1, of
// one lane of a run, with the numbers of one client.
type Question struct {
	Lane, Round, Client int
	Query               string
}

const questionHead = 12

// AppendQuestion appends the bytes of q to dst.
func AppendQuestion(dst []byte, q Question) []byte {
	for _, n := range [...]int{q.Lane, q.Round, q.Client} {
		dst = binary.LittleEndian.AppendUint32(dst, uint32(n))
	}
	return append(dst, q.Query...)
}

// OpenQuestion reads what AppendQuestion wrote.
func OpenQuestion(payload []byte) (q Question, ok bool) {
	if len(payload) < questionHead {
		return q, false
	}
	for i, n := range [...]*int{&q.Lane, &q.Round, &q.Client} {
		*n = int(int32(binary.LittleEndian.Uint32(payload[4*i:])))
	}
	q.Query = string(payload[questionHead:])
	return q, true
}
