package main

import (
	"context"
	"fmt"
	"syscall/js"

	"github.com/syumai/workers/cloudflare"
)

// store keeps links in the KV namespace LINKS.
type store struct{}

// Get returns the text under an id, "" when there is none.
func (store) Get(_ context.Context, id string) (text string, err error) {
	// Links never change, so a data centre may keep one for a day.
	return get(id, 86400)
}

// get returns the text under an id, which a data centre may know from so many
// seconds ago; that there is none, too.
func get(id string, seconds int) (text string, err error) {
	defer caught(&err)
	options := map[string]any{"type": "text", "cacheTtl": seconds}
	value, err := await(cloudflare.GetBinding("LINKS").Call("get", id, options))
	if err != nil || value.IsNull() {
		return "", err
	}
	return value.String(), nil
}

// Put stores a text under an id where there is none. KV cannot do both at once, so
// several who store the same text at the same moment may all be told that it is new;
// it is there once, all the same. Two texts never meet at one moment under one id but
// by a clash of 50 bits.
func (store) Put(_ context.Context, id, text string) (before string, err error) {
	defer caught(&err)
	const shortest = 60 // seconds; that there is no such link must not be remembered
	if before, err = get(id, shortest); before != "" || err != nil {
		return before, err
	}
	_, err = await(cloudflare.GetBinding("LINKS").Call("put", id, text))
	return "", err
}

// limiter is one of the rate limits that wrangler.jsonc binds. Cloudflare counts
// for each of its data centres.
type limiter struct{ binding string }

// Allow counts one request of a client.
func (l limiter) Allow(_ context.Context, client string) (ok bool, err error) {
	defer caught(&err)
	options := map[string]any{"key": client}
	value, err := await(cloudflare.GetBinding(l.binding).Call("limit", options))
	if err != nil {
		return false, err
	}
	return value.Get("success").Bool(), nil
}

// caught turns what JavaScript throws, such as at a binding that is not there,
// into an error.
func caught(err *error) {
	switch thrown := recover().(type) {
	case nil:
	case js.Error:
		*err = thrown
	case *js.ValueError:
		*err = fmt.Errorf("a binding is missing: %w", thrown)
	default:
		panic(thrown)
	}
}
