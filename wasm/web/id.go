package web

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base32"
	"errors"
	"net/url"
	"strings"
	"unicode"
)

// alphabet is Crockford's: without i, l, o and u, so that an id survives being
// copied from a blackboard.
const alphabet = "0123456789abcdefghjkmnpqrstvwxyz"

var encoding = base32.NewEncoding(alphabet).WithPadding(base32.NoPadding)

// idLength is 50 bits: with a million links stored, a guess hits one of them
// once in 10⁹ tries, and two of them clash with probability 4·10⁻⁴, in which
// case the second becomes longer.
const (
	idLength  = 10
	idLongest = 16
)

// ids returns the candidates for the id of a text, from the shortest. They are
// the beginnings of one keyed hash: the same text has the same id on this
// server, and without the key nobody can tell which ids there are.
func ids(key []byte, text string) []string {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(text))
	whole := encoding.EncodeToString(mac.Sum(nil))
	return []string{whole[:idLength], whole[:idLength+3], whole[:idLongest]}
}

// readID returns what a person meant by an id: capitals are small letters, and
// o, i and l are digits. It is false for what cannot be an id.
func readID(text string) (string, bool) {
	id := strings.NewReplacer("o", "0", "i", "1", "l", "1").Replace(strings.ToLower(text))
	if len(id) < idLength || len(id) > idLongest || strings.Trim(id, alphabet) != "" {
		return "", false
	}
	return id, true
}

// gluedID returns the id in a text that clients have glued something to: the full stop or
// bracket behind a link, or settings whose "?" has become "&". It is false for an id as it
// is.
func gluedID(text string) (id string, settings url.Values, ok bool) {
	bare, rest, _ := strings.Cut(text, "&")
	bare = strings.TrimFunc(bare, glue)
	if bare == text {
		return "", nil, false
	}
	if id, ok = readID(bare); ok && strings.Contains(rest, "=") {
		rest = strings.TrimRightFunc(strings.ReplaceAll("&"+rest, "&amp;", "&")[1:], glue)
		settings, _ = url.ParseQuery(rest)
	}
	return id, settings, ok
}

// gluedPicture returns the name of a picture without what clients have glued behind it. It
// is false for a name as it is.
func gluedPicture(name string) (bare string, ok bool) {
	bare = strings.TrimRightFunc(name, glue)
	id, ending, _ := strings.Cut(bare, ".")
	_, isID := readID(id)
	return bare, bare != name && isID && (ending == "png" || ending == "svg")
}

// glue reports whether a character is none of an id.
func glue(r rune) bool { return r >= 0x80 || !unicode.IsLetter(r) && !unicode.IsDigit(r) }

var errClash = errors.New("every id of this text is taken by another one")

// keepLink stores a text unless it is there already, and returns its id and
// whether it is new.
func (s *Server) keepLink(ctx context.Context, text string) (id string, isNew bool, err error) {
	for _, id := range ids(s.Key, text) {
		before, err := s.Store.Put(ctx, id, text)
		if err != nil {
			return "", false, err
		}
		if before == "" || before == text {
			return id, before == "", nil
		}
	}
	return "", false, errClash
}
