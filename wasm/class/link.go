//go:build !js

package class

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/coder/websocket"
)

// A link is the server's end of a WebSocket. Messages wait in a queue, so that nobody who reads slowly holds up a class:
// when the queue is full the link is cut, and the page connects again.
type link struct {
	conn   *websocket.Conn
	out    chan outgoing
	cancel context.CancelFunc
}

type outgoing struct {
	kind websocket.MessageType
	data []byte
}

const (
	queued       = 64               // messages that may wait
	writeTimeout = 10 * time.Second // for one message
	pingEvery    = 5 * time.Second
	// largest message that a phone may send: a few updates of a model
	largestMessage = 1 << 19
	// JSON messages are far shorter.
	largestText = 4096
)

func newLink(conn *websocket.Conn, cancel context.CancelFunc) *link {
	conn.SetReadLimit(largestMessage)
	return &link{conn: conn, out: make(chan outgoing, queued), cancel: cancel}
}

// write sends what is queued, until ctx is done, and pings, which ends the link when the other side is gone.
func (l *link) write(ctx context.Context) {
	defer l.cancel()
	tick := time.NewTicker(pingEvery)
	defer tick.Stop()
	for {
		var err error
		select {
		case <-ctx.Done():
			return
		case m := <-l.out:
			each, cancel := context.WithTimeout(ctx, writeTimeout)
			err = l.conn.Write(each, m.kind, m.data)
			cancel()
		case <-tick.C:
			each, cancel := context.WithTimeout(ctx, writeTimeout)
			err = l.conn.Ping(each)
			cancel()
		}
		if err != nil {
			return
		}
	}
}

// send queues a message.
func (l *link) send(kind websocket.MessageType, data []byte) {
	select {
	case l.out <- outgoing{kind, data}:
	default:
		l.cancel()
	}
}

// tell queues a value as JSON.
func (l *link) tell(v any) {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err) // a number that is not finite
	}
	l.send(websocket.MessageText, data)
}

// Reasons why the server closes a WebSocket, which the pages tell apart.
const (
	closeNoClass  websocket.StatusCode = 4001 + iota // no class has the code, or it is over
	closeGuessing                                    // too many wrong codes
	closeFull                                        // as many phones as a class may have
	closeSecret                                      // it is not the teacher's link
	closeReplaced                                    // the phone is open in another place
	closeUnruly                                      // too many bad messages
	closeForgot                                      // it asked to be forgotten
)

// isTooBig reports whether reading has failed since the message was too large.
func isTooBig(err error) bool {
	return errors.Is(err, websocket.ErrMessageTooBig) || websocket.CloseStatus(err) == websocket.StatusMessageTooBig
}
