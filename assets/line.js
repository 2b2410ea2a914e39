// line.js sends messages from one Go program to another, in a worker of its own: small
// values in one piece, and long lists of numbers (see sim/engine/workers/codec.go). It
// reads and writes the memory of the program itself, by addresses: each JavaScript value
// that Go receives is one more for it to keep track of.
//
// If the browser lets workers share memory, messages are in shared memory: they arrive at
// once, even while both ends compute. Otherwise they are sent by postMessage. Either end of
// either kind of line has
//
//	post(address, small, table, lists)   sends small values and lists; the table
//	                  has each list's address and length in bytes
//	state()           1: a message is there; 0: none; −1: something is on its way by
//	                  postMessage, and arrives when the program yields
//	open()            begins to read the oldest message, which is valid until the next
//	                  post, and returns the length of its small values
//	small(address)    writes them to an address
//	left()            the unread bytes of the lists
//	read(address, length)   writes the next of them to an address, and returns their number
//	take(message)     takes what came by postMessage, and reports whether it was for the
//	                  line alone
//	announce()        says that a value that is not the line's is on its way by postMessage
(() => {
  "use strict";

  // reading reads a message, for both kinds of line: { take, small, long }, its lists and
  // then its small values, of which take(address, from, length) writes a part to an
  // address.
  function reading() {
    let message, at;
    return {
      begin(opened) {
        message = opened;
        at = 0;
        return message.small;
      },
      small(address) { message.take(address, message.long, message.small); },
      left: () => message.long - at,
      read(address, length) {
        const n = Math.min(length, message.long - at);
        message.take(address, at, n);
        at += n;
        return n;
      },
    };
  }

  // lengths returns the number of bytes in the lists of a table.
  function lengths(memory, table, lists) {
    const where = new Uint32Array(memory.buffer, table, 2 * lists);
    let long = 0;
    for (let i = 1; i < where.length; i += 2) long += where[i];
    return long;
  }

  // write writes the lists and then the small values, by put(to, address, length).
  function write(put, memory, address, small, table, lists) {
    const where = new Uint32Array(memory.buffer, table, 2 * lists);
    let to = 0;
    for (let i = 0; i < where.length; i += 2) {
      put(to, where[i], where[i + 1]);
      to += where[i + 1];
    }
    put(to, address, small);
  }

  // between copies between a program's memory and other bytes.
  function between(memory, bytes) {
    const own = (address, length) => new Uint8Array(memory.buffer, address, length);
    return {
      put(to, address, length) { bytes.set(own(address, length), to); },
      take(address, from, length) { own(address, length).set(bytes.subarray(from, from + length)); },
    };
  }

  // mail is one end of a line that sends each message by postMessage, as an ArrayBuffer.
  // send sends a value to the other end, and transfers buffers. Received buffers are
  // reused for sending, so that a run of a thousand rounds allocates no more than one of
  // two.
  function mail(memory, send) {
    const spares = [], received = [];
    const { begin, small, left, read } = reading();

    // spare returns a buffer of at least size bytes: the largest unused one, if that is
    // enough.
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
      state: () => (received.length > 0 ? 1 : 0),
      open() {
        const { buffer, small, long } = received.shift();
        spares.push(buffer);
        return begin({ take: between(memory, new Uint8Array(buffer)).take, small, long });
      },
      small, left, read,
      take(message) {
        if (message && message.small !== undefined) received.push(message);
        return false;
      },
      announce() {},
    };
  }

  // WebAssembly's memory.copy copies shared memory several times as fast as set of a typed
  // array, which copies word by word, each in exclusive access to its cache line. carrier
  // is a module of two memories, a program's own and a common one, and two functions (to,
  // from, length): put copies to the common memory, and take from there. It is null if the
  // browser does not allow two memories.
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

  // makeCommon returns a number of pages of memory that can be shared.
  function makeCommon(pages) {
    try {
      if (carrier) return new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true });
    } catch {
      // Out of memory, or of address space.
    }
    return new SharedArrayBuffer(pages * PAGE);
  }

  // toCommon returns functions that copy between a program's memory and a common one.
  function toCommon(memory, common) {
    if (common instanceof SharedArrayBuffer) return between(memory, new Uint8Array(common));
    return new WebAssembly.Instance(carrier, { memory: { own: memory, common } }).exports;
  }

  // What two ends share: for each direction, the number of entries posted, and a ring
  // buffer of them. An entry describes a message: its slot, the segment of the slot and
  // where in there it begins, and the lengths of the message. A slot belongs to the end
  // that posts; its word says whether it has a message that was not read yet.
  const RING = 1024, ENTRY = 5, SLOTS = 1024, ANNOUNCE = -1;
  const SHARE = 1 + RING * ENTRY + SLOTS; // words a direction

  // shared is one end of a line with shared memory. out and back are its two directions,
  // as arrays of SHARE words; bell is the other end's.
  function shared(memory, send, out, back, bell) {
    const segments = new Map(), theirs = new Map(); // shared memory, by number
    const { begin, small, left, read } = reading();
    let slots = [], made = 0, size = 0, room = 0; // segments, pages of the last one and its free pages
    let posted = 0, opened = 0, due = 0, announced = 0, reads = -1;
    const entry = (n) => 1 + (n % RING) * ENTRY;
    const slot = (n) => 1 + RING * ENTRY + n;
    const empty = (n) => !Atomics.load(out, slot(n));

    // free returns the number of a slot with room for some bytes: the smallest free one,
    // or a new one.
    function free(bytes) {
      const pages = Math.ceil(bytes / PAGE);
      let best = null;
      slots.forEach((s, n) => {
        if (s.pages >= pages && empty(n) && (best === null || s.pages < slots[best].pages)) best = n;
      });
      if (best !== null) return best;
      if (room < pages) addSegment(pages);
      if (slots.length === SLOTS) throw new Error("a line has too many unread messages");
      room -= pages;
      return slots.push({ segment: made, at: (size - room - pages) * PAGE, pages }) - 1;
    }

    // addSegment adds a segment for slots, and sends it to the other end. If all slots are
    // free, it replaces the other segments.
    function addSegment(pages) {
      if (slots.every((_, n) => empty(n))) {
        slots = [];
        segments.clear();
        size = 0;
      }
      made++;
      size = room = Math.max(2 * size, 4 * pages);
      const common = makeCommon(size);
      segments.set(made, toCommon(memory, common));
      send({ segment: made, oldest: Math.min(...segments.keys()), common });
    }

    function enter(n, segment, at, small, long) {
      out.set([n, segment, at, small, long], entry(posted++));
      Atomics.store(out, 0, posted);
      Atomics.add(bell, 0, 1);
      Atomics.notify(bell, 0);
    }

    function state() {
      if (announced < due) return -1;
      if (Atomics.load(back, 0) === opened) return 0;
      const at = entry(opened);
      if (back[at] === ANNOUNCE) {
        due++;
        opened++;
        return state();
      }
      return theirs.has(back[at + 1]) ? 1 : -1;
    }

    // clear frees the slot of the message that was read last.
    function clear() {
      if (reads >= 0) Atomics.store(back, slot(reads), 0);
      reads = -1;
    }

    return {
      near: true,
      post(address, small, table, lists) {
        clear();
        const long = lengths(memory, table, lists), n = free(long + small), { segment, at } = slots[n];
        const { put } = segments.get(segment);
        write((to, from, length) => put(at + to, from, length), memory, address, small, table, lists);
        Atomics.store(out, slot(n), 1);
        enter(n, segment, at, small, long);
      },
      state,
      open() {
        clear();
        const from = entry(opened++), [n, segment, at, small, long] = back.subarray(from, from + ENTRY);
        const { take } = theirs.get(segment);
        reads = n;
        return begin({ take: (address, from, length) => take(address, at + from, length), small, long });
      },
      small, left, read,
      take(message) {
        if (!message || message.segment === undefined) {
          announced++;
          return false;
        }
        const { segment, oldest, common } = message;
        for (const n of theirs.keys()) if (n < oldest) theirs.delete(n);
        theirs.set(segment, toCommon(memory, common));
        return true;
      },
      announce() { enter(ANNOUNCE, 0, 0, 0, 0); },
    };
  }

  // A bell wakes a program that shares memory with others: wait waits until the bell has
  // been rung since the last call, for at most some ms, and reports whether it has.
  function makeBell(words = new Int32Array(new SharedArrayBuffer(4))) {
    let seen = 0;
    return {
      words,
      wait(ms) {
        const before = seen;
        Atomics.wait(words, 0, seen, ms);
        seen = Atomics.load(words, 0);
        return seen !== before;
      },
    };
  }

  // near reports whether workers can share memory here.
  const near = () => globalThis.crossOriginIsolated === true && typeof SharedArrayBuffer === "function";

  // share returns the memory that the two ends of a new line share; bell is that of the
  // program on this side. It is null if memory cannot be shared.
  function share(bell) {
    if (!bell) return null;
    const direction = () => new Int32Array(new SharedArrayBuffer(4 * SHARE));
    return { there: direction(), back: direction(), bells: [bell.words, makeBell().words] };
  }

  // makeLine returns one end of a line, for a program with this memory: the end that made
  // the line, or the far one. common is the result of share.
  function makeLine(memory, send, common, far) {
    if (!common) return mail(memory, send);
    const { there, back, bells } = common;
    return far ? shared(memory, send, back, there, bells[0]) : shared(memory, send, there, back, bells[1]);
  }

  globalThis.flockscopeLine = { makeLine, makeBell, share, near };
})();
