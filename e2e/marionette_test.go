package e2e

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"strconv"
	"sync"
	"time"
)

// marionette speaks Firefox's own remote protocol, so that no driver program
// is needed. A message is its length in bytes, a colon and JSON:
//
//	→ 45:[0, 1, "WebDriver:Navigate", {"url": "…"}]
//	← 15:[1, 1, null, {}]
type marionette struct {
	mu   sync.Mutex
	conn net.Conn
	in   *bufio.Reader
	id   int
}

func dialMarionette(port int) (*marionette, error) {
	conn, err := net.DialTimeout("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)), limit)
	if err != nil {
		return nil, err
	}
	m := &marionette{conn: conn, in: bufio.NewReader(conn)}
	conn.SetDeadline(time.Now().Add(limit))
	if _, err := m.receive(); err != nil { // a greeting
		return nil, err
	}
	_, err = m.call("WebDriver:NewSession", map[string]any{})
	return m, err
}

// call sends a command and returns its result.
func (m *marionette) call(command string, params any) (json.RawMessage, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.id++
	message, err := json.Marshal([]any{0, m.id, command, params})
	if err != nil {
		return nil, err
	}
	m.conn.SetDeadline(time.Now().Add(2 * limit)) // Firefox itself gives up before
	if _, err := fmt.Fprintf(m.conn, "%d:%s", len(message), message); err != nil {
		return nil, err
	}
	var parts []json.RawMessage
	for answered := 0; answered != m.id; { // an answer may come after nobody has waited for it any longer
		answer, err := m.receive()
		if err != nil {
			return nil, err
		}
		if err := json.Unmarshal(answer, &parts); err != nil || len(parts) != 4 {
			return nil, fmt.Errorf("%s: unexpected answer %s", command, answer)
		}
		if err := json.Unmarshal(parts[1], &answered); err != nil {
			return nil, fmt.Errorf("%s: unexpected answer %s", command, answer)
		}
	}
	var failure *struct{ Error, Message string }
	if err := json.Unmarshal(parts[2], &failure); err != nil {
		return nil, err
	}
	if failure != nil {
		return nil, fmt.Errorf("%s: %s: %s", command, failure.Error, failure.Message)
	}
	return parts[3], nil
}

// value is call for commands whose result is {"value": …}.
func (m *marionette) value(command string, params, value any) error {
	result, err := m.call(command, params)
	if err != nil {
		return err
	}
	return json.Unmarshal(result, &struct{ Value any }{value})
}

func (m *marionette) receive() ([]byte, error) {
	prefix, err := m.in.ReadString(':')
	if err != nil {
		return nil, err
	}
	size, err := strconv.Atoi(prefix[:len(prefix)-1])
	if err != nil {
		return nil, err
	}
	message := make([]byte, size)
	_, err = io.ReadFull(m.in, message)
	return message, err
}
