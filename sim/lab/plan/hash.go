package plan

import (
	"encoding/binary"
	"fmt"
	"math/bits"
)

// Hash is SHA-256. crypto/sha256 has many dependencies and would make the page's program larger; a test compares the
// two. The zero value is no hash; see [NewHash].
type Hash struct {
	state  [8]uint32
	block  []byte
	length uint64 // number of bytes written
}

// NewHash returns a hash of no bytes.
func NewHash() *Hash {
	return &Hash{state: [8]uint32{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab,
		0x5be0cd19}}
}

// Write adds text. It never fails.
func (h *Hash) Write(text []byte) (int, error) {
	n := len(text)
	h.length += uint64(n)
	if len(h.block) > 0 {
		more := min(64-len(h.block), n)
		h.block, text = append(h.block, text[:more]...), text[more:]
		if len(h.block) < 64 {
			return n, nil
		}
		h.mix(h.block)
		h.block = h.block[:0]
	}
	for ; len(text) >= 64; text = text[64:] {
		h.mix(text)
	}
	h.block = append(h.block, text...)
	return n, nil
}

// ID completes the hash and returns its first half as 32 hexadecimal digits.
func (h *Hash) ID() string {
	bits := 8 * h.length
	end := append(make([]byte, 0, 72), 0x80)
	for (h.length+uint64(len(end)))%64 != 56 {
		end = append(end, 0)
	}
	h.Write(binary.BigEndian.AppendUint64(end, bits))
	return fmt.Sprintf("%08x%08x%08x%08x", h.state[0], h.state[1], h.state[2], h.state[3])
}

func (h *Hash) mix(block []byte) {
	var w [64]uint32
	for i := range 16 {
		w[i] = binary.BigEndian.Uint32(block[4*i:])
	}
	turn := func(v uint32, by int) uint32 { return bits.RotateLeft32(v, -by) }
	for i := 16; i < 64; i++ {
		x, y := w[i-15], w[i-2]
		w[i] = w[i-16] + (turn(x, 7) ^ turn(x, 18) ^ x>>3) + w[i-7] + (turn(y, 17) ^ turn(y, 19) ^ y>>10)
	}
	s := h.state
	for i := range w {
		t := s[7] + (turn(s[4], 6) ^ turn(s[4], 11) ^ turn(s[4], 25)) + (s[4]&s[5] ^ ^s[4]&s[6]) + cubeRoots[i] + w[i]
		u := (turn(s[0], 2) ^ turn(s[0], 13) ^ turn(s[0], 22)) + (s[0]&s[1] ^ s[0]&s[2] ^ s[1]&s[2])
		s = [8]uint32{t + u, s[0], s[1], s[2], s[3] + t, s[4], s[5], s[6]}
	}
	for i := range s {
		h.state[i] += s[i]
	}
}

// cubeRoots are the first 32 bits of the fractions of the cube roots of the first primes.
var cubeRoots = [64]uint32{
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
	0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
	0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
	0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
	0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
	0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
	0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
	0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
}
