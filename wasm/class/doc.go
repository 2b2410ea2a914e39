// Package class lets a class be the clients of a run: each phone holds drawings, trains on them, and sends updates and
// losses to a server, which is the engine. CLASS.md beside this file describes it for teachers, has the messages, and lists
// what bad input gets.
//
//	server.go    the addresses: pages, WebSockets, codes and how often they may be guessed
//	class.go     Class: who is in it, and what its teacher asks
//	phone.go     a phone: its token, its connection, its open tasks
//	link.go      a WebSocket with a bounded queue
//	wire.go      tasks and replies, and what is checked of replies; errs.go what can be wrong with them
//	run.go       a run of a class; it is the engine's remote clients
//	query.go     the experiment of a run
//	recording.go a run with its replies, which can be played again
//	state.go     what the pages are told
//	pages/       the pages of phones and of the teacher, plain JavaScript
//
// Locks: Class.mu guards everything of a class, its phones and its run. No call that waits is made under it.
package class
