// line.js carries parcels from one Go program to another, in a worker of its own:
// small things in one piece, and long lists of numbers (see sim/engine/raw.go). It
// reads and writes the memory of the program itself, by addresses: every value of
// JavaScript's that Go gets to see is one more for it to keep track of.
//
// Where the browser lets workers share memory, parcels lie there: they arrive at once,
// whatever both ends are at, and nobody has to look for messages. Elsewhere they
// travel as messages. Either end of either line has
//
//	post(address, small, table, lists)   sends small things and lists; the table
//	                  has each list's address and length in bytes
//	state()           1: a parcel is there; 0: none; −1: something is on its way as a
//	                  message, which has to be let in
//	open()            begins to read the oldest parcel, which is good until the next
//	                  post, and returns how long its small things are
//	small(address)    writes them to an address
//	left()            how many bytes of the lists have not been read
//	read(address, length)   writes the next of them to an address, and returns how many
//	take(message)     takes in what came as a message, and reports whether nobody else
//	                  need hear of it
//	letter()          says that a message is under way that is none of the line's
(() => {
  "use strict";

  // reading is what both kinds of line do with an open parcel: bytes that hold the
  // lists and then the small things.
  function reading(memory) {
    let bytes, small, long, at;
    const copy = (address, from, length) => {
      new Uint8Array(memory.buffer, address, length).set(bytes.subarray(from, from + length));
    };
    return {
      begin(parcel) {
        ({ bytes, small, long } = parcel);
        at = 0;
        return small;
      },
      small(address) { copy(address, long, small); },
      left: () => long - at,
      read(address, length) {
        const n = Math.min(length, long - at);
        copy(address, at, n);
        at += n;
        return n;
      },
    };
  }

  // lengths returns how many bytes there are in the lists of a table.
  function lengths(memory, table, lists) {
    const where = new Uint32Array(memory.buffer, table, 2 * lists);
    let long = 0;
    for (let i = 1; i < where.length; i += 2) long += where[i];
    return long;
  }

  // write puts the lists and the small things down in bytes.
  function write(bytes, memory, address, small, table, lists) {
    const where = new Uint32Array(memory.buffer, table, 2 * lists);
    let to = 0;
    for (let i = 0; i < where.length; i += 2) {
      bytes.set(new Uint8Array(memory.buffer, where[i], where[i + 1]), to);
      to += where[i + 1];
    }
    bytes.set(new Uint8Array(memory.buffer, address, small), to);
  }

  // mail is one end of a line whose parcels are messages, an ArrayBuffer each. send
  // carries a value to the other end, and buffers with it. What was received is kept
  // and sent back full of something else, so that a run of a thousand rounds
  // allocates no more than one of two.
  function mail(memory, send) {
    const spares = [], came = [];
    const { begin, small, left, read } = reading(memory);

    // spare returns a buffer of so many bytes or more: the largest at hand, if that
    // is enough.
    function spare(size) {
      spares.sort((a, b) => a.byteLength - b.byteLength);
      const largest = spares.pop();
      return largest && largest.byteLength >= size ? largest : new ArrayBuffer(size);
    }

    return {
      near: false,
      post(address, small, table, lists) {
        const long = lengths(memory, table, lists), buffer = spare(long + small);
        write(new Uint8Array(buffer), memory, address, small, table, lists);
        send({ buffer, small, long }, [buffer]);
      },
      state: () => (came.length > 0 ? 1 : 0),
      open() {
        const { buffer, small, long } = came.shift();
        spares.push(buffer);
        return begin({ bytes: new Uint8Array(buffer), small, long });
      },
      small, left, read,
      take(message) {
        if (message && message.small !== undefined) came.push(message);
        return false;
      },
      letter() {},
    };
  }

  // What two ends share: for each direction, how many entries were posted, and the
  // last of them in a ring. An entry is about a parcel: the shelf that it lies on and
  // how often that has been made larger, and how long it is. A shelf belongs to the
  // end that posts; its word says whether a parcel lies there that is not read yet.
  const RING = 1024, ENTRY = 4, SHELVES = 1024, LETTER = -1;
  const BOARD = 1 << 16; // what a shelf's length is a multiple of
  const SHARE = 1 + RING * ENTRY + SHELVES; // words a direction

  // shared is one end of a line whose parcels lie in memory that both ends have. out
  // and back are its two directions, as arrays of SHARE words; bell is the other end's.
  function shared(memory, send, out, back, bell) {
    const mine = [], theirs = []; // shelves
    const { begin, small, left, read } = reading(memory);
    let last = 0, posted = 0, opened = 0, due = 0, letters = 0, reads = -1;
    const entry = (n) => 1 + (n % RING) * ENTRY;
    const shelf = (n) => 1 + RING * ENTRY + n;

    // free returns the number of a shelf that has room for so many bytes: one that
    // is empty, the least that is large enough, or else made larger, which the other
    // end hears by message. Those of one size take turns: what the other end read
    // last is still in its processor's cache, and to write there takes three times
    // as long.
    function free(size) {
      const empty = mine.map((_, i) => (last + 1 + i) % mine.length).filter((i) => !Atomics.load(out, shelf(i)));
      const roomy = empty.filter((i) => mine[i].bytes.length >= size).sort((a, b) => mine[a].bytes.length - mine[b].bytes.length);
      const n = last = roomy[0] ?? empty[0] ?? mine.length;
      if (roomy.length > 0) return n;
      if (n === SHELVES) throw new Error("there are more parcels on a line than it is made for");
      const bytes = new Uint8Array(new SharedArrayBuffer(Math.ceil(size / BOARD) * BOARD));
      const made = (mine[n]?.made ?? 0) + 1;
      mine[n] = { bytes, made };
      send({ shelf: n, made, bytes });
      return n;
    }

    function enter(n, made, small, long) {
      const at = entry(posted++);
      out[at] = n;
      out[at + 1] = made;
      out[at + 2] = small;
      out[at + 3] = long;
      Atomics.store(out, 0, posted);
      Atomics.add(bell, 0, 1);
      Atomics.notify(bell, 0);
    }

    function state() {
      if (letters < due) return -1;
      if (Atomics.load(back, 0) === opened) return 0;
      const at = entry(opened);
      if (back[at] === LETTER) {
        due++;
        opened++;
        return state();
      }
      return theirs[back[at]]?.made === back[at + 1] ? 1 : -1;
    }

    // clear gives the shelf back whose parcel was read last.
    function clear() {
      if (reads >= 0) Atomics.store(back, shelf(reads), 0);
      reads = -1;
    }

    return {
      near: true,
      post(address, small, table, lists) {
        clear();
        const long = lengths(memory, table, lists), n = free(long + small);
        write(mine[n].bytes, memory, address, small, table, lists);
        Atomics.store(out, shelf(n), 1);
        enter(n, mine[n].made, small, long);
      },
      state,
      open() {
        clear();
        const at = entry(opened++);
        reads = back[at];
        return begin({ bytes: theirs[reads].bytes, small: back[at + 2], long: back[at + 3] });
      },
      small, left, read,
      take(message) {
        if (!message || message.shelf === undefined) {
          letters++;
          return false;
        }
        theirs[message.shelf] = message;
        return true;
      },
      letter() { enter(LETTER, 0, 0, 0); },
    };
  }

  // A bell is what a program listens to that shares memory with others: rest waits
  // until it has been rung since the last time, for at most so many ms, and reports
  // whether it has.
  function makeBell(words = new Int32Array(new SharedArrayBuffer(4))) {
    let heard = 0;
    return {
      words,
      rest(ms) {
        const before = heard;
        Atomics.wait(words, 0, heard, ms);
        heard = Atomics.load(words, 0);
        return heard !== before;
      },
    };
  }

  // near tells whether workers may share memory here.
  const near = () => globalThis.crossOriginIsolated === true && typeof SharedArrayBuffer === "function";

  // share returns what the two ends of a new line have in common; bell is that of
  // the program on this side. It is null where nothing can be.
  function share(bell) {
    if (!bell) return null;
    const direction = () => new Int32Array(new SharedArrayBuffer(4 * SHARE));
    return { there: direction(), back: direction(), bells: [bell.words, makeBell().words] };
  }

  // makeLine returns one end of a line, for a program with this memory: the one at
  // which the line was made, or else the far one. common is what share returned.
  function makeLine(memory, send, common, far) {
    if (!common) return mail(memory, send);
    const { there, back, bells } = common;
    return far ? shared(memory, send, back, there, bells[0]) : shared(memory, send, there, back, bells[1]);
  }

  globalThis.flockscopeLine = { makeLine, makeBell, share, near };
})();
