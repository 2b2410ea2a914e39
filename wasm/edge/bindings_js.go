package main

import (
	"context"
	"fmt"
	"syscall/js"

	"github.com/syumai/workers/cloudflare"
	"github.com/syumai/workers/cloudflare/kv"

	"flockscope/ui/guard"
)

// store stores links in the KV namespace LINKS.
type store struct{}

// Times in seconds for which a data centre may cache answers of KV, including that a link does not exist.
const (
	foreverTTL  = 86400 // a link never changes
	shortestTTL = 60    // the minimum that KV allows
)

// Get returns the text under an id, "" if there is none.
func (store) Get(_ context.Context, id string) (text string, err error) {
	defer catchJS(&err)
	links, err := kv.NewNamespace("LINKS")
	if err != nil {
		return "", err
	}
	return get(links, id, foreverTTL)
}

// Put stores a text under an id where there is none. KV cannot do both at once, so
// several requests that store the same text at the same moment may all be told that it is
// new; it is stored once, all the same. Two different texts meet under one id only if 50
// bits of their hashes are equal.
func (store) Put(_ context.Context, id, text string) (before string, err error) {
	defer catchJS(&err)
	links, err := kv.NewNamespace("LINKS")
	if err != nil {
		return "", err
	}
	if before, err = get(links, id, shortestTTL); before != "" || err != nil {
		return before, err
	}
	return "", links.PutString(id, text, nil)
}

// get returns the text under an id, "" when there is none: in that case the library returns the text of JavaScript's
// null, which is not a link.
func get(links *kv.Namespace, id string, ttl int) (string, error) {
	text, err := links.GetString(id, &kv.GetOptions{CacheTTL: ttl})
	if text == js.Null().String() {
		text = ""
	}
	return text, err
}

// limiter is one of the rate limits in wrangler.jsonc, which the library does not support. Cloudflare counts for each
// of its data centres.
type limiter struct{ binding string }

// Allow counts one request of a client and reports whether it is allowed.
func (l limiter) Allow(_ context.Context, client string) (ok bool, err error) {
	defer catchJS(&err)
	outcome := cloudflare.GetBinding(l.binding).Call("limit", map[string]any{"key": client})
	settled := make(chan func(), 1)
	fulfilled := guard.FuncOf(func(_ js.Value, args []js.Value) any {
		settled <- func() { ok = args[0].Get("success").Bool() }
		return nil
	})
	rejected := guard.FuncOf(func(_ js.Value, args []js.Value) any {
		settled <- func() { err = js.Error{Value: args[0]} }
		return nil
	})
	defer fulfilled.Release()
	defer rejected.Release()
	outcome.Call("then", fulfilled, rejected)
	(<-settled)()
	return ok, err
}

// catchJS converts an exception of JavaScript, such as for a missing binding, into an error.
func catchJS(err *error) {
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
