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

  // reading is what both kinds of line do with an open parcel: { take, small, long },
  // its lists and then its small things, of which take(address, from, length) writes a
  // part to an address.
  function reading() {
    let parcel, at;
    return {
      begin(opened) {
        parcel = opened;
        at = 0;
        return parcel.small;
      },
      small(address) { parcel.take(address, parcel.long, parcel.small); },
      left: () => parcel.long - at,
      read(address, length) {
        const n = Math.min(length, parcel.long - at);
        parcel.take(address, at, n);
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

  // write puts the lists and the small things down, one behind the other, by
  // put(to, address, length).
  function write(put, memory, address, small, table, lists) {
    const where = new Uint32Array(memory.buffer, table, 2 * lists);
    let to = 0;
    for (let i = 0; i < where.length; i += 2) {
      put(to, where[i], where[i + 1]);
      to += where[i + 1];
    }
    put(to, address, small);
  }

  // between copies between a program's memory and bytes that are not in it.
  function between(memory, bytes) {
    const own = (address, length) => new Uint8Array(memory.buffer, address, length);
    return {
      put(to, address, length) { bytes.set(own(address, length), to); },
      take(address, from, length) { own(address, length).set(bytes.subarray(from, from + length)); },
    };
  }

  // mail is one end of a line whose parcels are messages, an ArrayBuffer each. send
  // carries a value to the other end, and buffers with it. What was received is kept
  // and sent back full of something else, so that a run of a thousand rounds
  // allocates no more than one of two.
  function mail(memory, send) {
    const spares = [], came = [];
    const { begin, small, left, read } = reading();

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
        write(between(memory, new Uint8Array(buffer)).put, memory, address, small, table, lists);
        send({ buffer, small, long }, [buffer]);
      },
      state: () => (came.length > 0 ? 1 : 0),
      open() {
        const { buffer, small, long } = came.shift();
        spares.push(buffer);
        return begin({ take: between(memory, new Uint8Array(buffer)).take, small, long });
      },
      small, left, read,
      take(message) {
        if (message && message.small !== undefined) came.push(message);
        return false;
      },
      letter() {},
    };
  }

  // Memory that is shared is copied by WebAssembly, which does it in one go. The set of
  // an array takes word after word there, and each of them waits until the other
  // processor has let go of its place: up to five times as long. carrier is a module
  // of two memories, a program's own and a common one, and two functions (to, from,
  // length): put copies to the latter, and take from there. It is null where a module
  // may not have two memories.
  const carrier = (() => {
    const [memory, func, i32] = [2, 0x60, 0x7f], [own, common] = [0, 1];
    const section = (id, ...bytes) => [id, bytes.length, ...bytes];
    const name = (text) => [text.length, ...new TextEncoder().encode(text)];
    const copy = (to, from) => {
      const body = [0, 0x20, 0, 0x20, 1, 0x20, 2, 0xfc, 10, to, from, 0x0b]; // local.get 0, 1, 2; memory.copy; end
      return [body.length, ...body];
    };
    try {
      return new WebAssembly.Module(Uint8Array.of(
        0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, // WebAssembly, version 1
        ...section(1, 1, func, 3, i32, i32, i32, 0), // types
        ...section(2, 2, // imports; the common one is shared and has at most 65536 pages
          ...name("memory"), ...name("own"), memory, 0, 0,
          ...name("memory"), ...name("common"), memory, 3, 0, 0x80, 0x80, 4),
        ...section(3, 2, 0, 0), // functions
        ...section(7, 2, ...name("put"), 0, 0, ...name("take"), 0, 1), // exports
        ...section(10, 2, ...copy(common, own), ...copy(own, common)), // code
      ));
    } catch {
      return null;
    }
  })();

  const PAGE = 1 << 16; // bytes

  // makeCommon returns so many pages of memory that others may have, too.
  function makeCommon(pages) {
    try {
      if (carrier) return new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true });
    } catch {
      // There is no room for one more.
    }
    return new SharedArrayBuffer(pages * PAGE);
  }

  // toCommon copies between a program's memory and a common one.
  function toCommon(memory, common) {
    if (common instanceof SharedArrayBuffer) return between(memory, new Uint8Array(common));
    return new WebAssembly.Instance(carrier, { memory: { own: memory, common } }).exports;
  }

  // What two ends share: for each direction, how many entries were posted, and the
  // last of them in a ring. An entry is about a parcel: the shelf that it lies on, the
  // cabinet that has it and where in there it begins, and how long the parcel is. A
  // shelf belongs to the end that posts; its word says whether a parcel lies there
  // that is not read yet.
  const RING = 1024, ENTRY = 5, SHELVES = 1024, LETTER = -1;
  const SHARE = 1 + RING * ENTRY + SHELVES; // words a direction

  // shared is one end of a line whose parcels lie in memory that both ends have. out
  // and back are its two directions, as arrays of SHARE words; bell is the other end's.
  function shared(memory, send, out, back, bell) {
    const cabinets = new Map(), theirs = new Map(); // common memory, by number
    const { begin, small, left, read } = reading();
    let shelves = [], made = 0, size = 0, room = 0; // cabinets, pages of the last and what it has left
    let posted = 0, opened = 0, due = 0, letters = 0, reads = -1;
    const entry = (n) => 1 + (n % RING) * ENTRY;
    const shelf = (n) => 1 + RING * ENTRY + n;
    const empty = (n) => !Atomics.load(out, shelf(n));

    // free returns the number of a shelf that has room for so many bytes: the smallest
    // of those that are empty, or a new one.
    function free(bytes) {
      const pages = Math.ceil(bytes / PAGE);
      let best = null;
      shelves.forEach((s, n) => {
        if (s.pages >= pages && empty(n) && (best === null || s.pages < shelves[best].pages)) best = n;
      });
      if (best !== null) return best;
      if (room < pages) addCabinet(pages);
      if (shelves.length === SHELVES) throw new Error("there are more parcels on a line than it is made for");
      room -= pages;
      return shelves.push({ cabinet: made, at: (size - room - pages) * PAGE, pages }) - 1;
    }

    // addCabinet makes room for shelves, of which the other end hears by message. If
    // nothing lies on any, the others have served.
    function addCabinet(pages) {
      if (shelves.every((_, n) => empty(n))) {
        shelves = [];
        cabinets.clear();
        size = 0;
      }
      made++;
      size = room = Math.max(2 * size, 4 * pages);
      const common = makeCommon(size);
      cabinets.set(made, toCommon(memory, common));
      send({ cabinet: made, oldest: Math.min(...cabinets.keys()), common });
    }

    function enter(n, cabinet, at, small, long) {
      out.set([n, cabinet, at, small, long], entry(posted++));
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
      return theirs.has(back[at + 1]) ? 1 : -1;
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
        const long = lengths(memory, table, lists), n = free(long + small), { cabinet, at } = shelves[n];
        const { put } = cabinets.get(cabinet);
        write((to, from, length) => put(at + to, from, length), memory, address, small, table, lists);
        Atomics.store(out, shelf(n), 1);
        enter(n, cabinet, at, small, long);
      },
      state,
      open() {
        clear();
        const from = entry(opened++), [n, cabinet, at, small, long] = back.subarray(from, from + ENTRY);
        const { take } = theirs.get(cabinet);
        reads = n;
        return begin({ take: (address, from, length) => take(address, at + from, length), small, long });
      },
      small, left, read,
      take(message) {
        if (!message || message.cabinet === undefined) {
          letters++;
          return false;
        }
        const { cabinet, oldest, common } = message;
        for (const n of theirs.keys()) if (n < oldest) theirs.delete(n);
        theirs.set(cabinet, toCommon(memory, common));
        return true;
      },
      letter() { enter(LETTER, 0, 0, 0, 0); },
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
