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

// idLength is 50 bits. With a million links stored, a guess hits one of them once in 10⁹
// tries, and two of them clash with probability 4·10⁻⁴; the second then gets a longer id.
const (
	idLength  = 10
	idLongest = 16
)

// ids returns the candidates for the id of a text, the shortest first. They are prefixes
// of one keyed hash: the same text has the same id on this server, and ids cannot be
// guessed without the key.
func ids(key []byte, text string) []string {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(text))
	whole := encoding.EncodeToString(mac.Sum(nil))
	return []string{whole[:idLength], whole[:idLength+3], whole[:idLongest]}
}

// readID normalizes an id that a person typed: letters become small, o becomes 0, i and l
// become 1. It is false for a text that cannot be an id.
func readID(text string) (string, bool) {
	id := strings.NewReplacer("o", "0", "i", "1", "l", "1").Replace(strings.ToLower(text))
	if len(id) < idLength || len(id) > idLongest || strings.Trim(id, alphabet) != "" {
		return "", false
	}
	return id, true
}

// trimID returns the id in a text with something added by a mail program or chat: the
// full stop or bracket after a link, or settings whose "?" has become "&". It is false for
// a text without an addition.
func trimID(text string) (id string, settings url.Values, ok bool) {
	bare, rest, _ := strings.Cut(text, "&")
	bare = strings.TrimFunc(bare, notInID)
	if bare == text {
		return "", nil, false
	}
	if id, ok = readID(bare); ok && strings.Contains(rest, "=") {
		rest = strings.TrimRightFunc(strings.ReplaceAll("&"+rest, "&amp;", "&")[1:], notInID)
		settings, _ = url.ParseQuery(rest)
	}
	return id, settings, ok
}

// trimPicture is [trimID] for the name of a picture, such as ID.png.
func trimPicture(name string) (bare string, ok bool) {
	bare = strings.TrimRightFunc(name, notInID)
	id, ending, _ := strings.Cut(bare, ".")
	_, isID := readID(id)
	return bare, bare != name && isID && (ending == "png" || ending == "svg")
}

// notInID reports whether a character cannot be part of an id.
func notInID(r rune) bool { return r >= 0x80 || !unicode.IsLetter(r) && !unicode.IsDigit(r) }

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
