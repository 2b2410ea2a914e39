// line.js carries messages between two Go programs, each in a worker of its own: small
// values in one piece, and long lists of numbers (Message and Incoming in
// sim/engine/workers/codec.go). It reads and writes the memory of the programs directly,
// by addresses: Go would have to keep track of every JavaScript value that it is given.
//
// Where the browser lets workers share memory, messages are written there: they arrive at
// once, even while both programs compute. Elsewhere they are sent with postMessage. Each
// end of a line, of either kind, has
//
//	post(address, small, table, lists)   sends small values and lists; the table
//	                  has each list's address and length in bytes
//	state()           1: a message is there; 0: none; −1: something was sent with
//	                  postMessage and has not arrived, so the event loop has to run
//	open()            begins to read the oldest message, which is valid until the next
//	                  post, and returns the length of its small values
//	small(address)    writes them to an address
//	left()            the number of bytes of the lists that have not been read
//	read(address, length)   writes the next of them to an address, and returns how many
//	take(value)       is called with what arrived with postMessage, and reports whether
//	                  it was for the line alone
//	announce()        says that a value was sent with postMessage beside the line
(() => {
  "use strict";

  // reading has the functions of both kinds of line for an open message: { take, small, long }, its lists and then its
  // small values; take(address, from, length) writes a part of them to an address.
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

  // write writes the lists and then the small values, one after the other, by
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

  // copier copies between a program's memory and bytes outside it.
  function copier(memory, bytes) {
    const own = (address, length) => new Uint8Array(memory.buffer, address, length);
    return {
      put(to, address, length) { bytes.set(own(address, length), to); },
      take(address, from, length) { own(address, length).set(bytes.subarray(from, from + length)); },
    };
  }

  // posted is one end of a line whose messages are sent with postMessage, an ArrayBuffer
  // each. send sends a value to the other end, and transfers buffers with it. Received
  // buffers are used again, so a run of a thousand rounds allocates no more than one of
  // two.
  function posted(memory, send) {
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
        write(copier(memory, new Uint8Array(buffer)).put, memory, address, small, table, lists);
        send({ buffer, small, long }, [buffer]);
      },
      state: () => (received.length > 0 ? 1 : 0),
      open() {
        const { buffer, small, long } = received.shift();
        spares.push(buffer);
        return begin({ take: copier(memory, new Uint8Array(buffer)).take, small, long });
      },
      small, left, read,
      take(value) {
        if (value && value.small !== undefined) received.push(value);
        return false;
      },
      announce() {},
    };
  }

  // Shared memory is copied by WebAssembly, in one instruction. The set of an array
  // copies word by word there, and each word waits for the other processor's cache line:
  // up to five times as long. copyModule is a module of two memories, a program's own and
  // a common one, and two functions (to, from, length): put copies to the common one, and
  // take from it. It is null where a module may not have two memories.
  const copyModule = (() => {
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

  // makeCommon returns a shared memory with a number of pages.
  function makeCommon(pages) {
    try {
      if (copyModule) return new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true });
    } catch {
      // There is not enough memory for one with a maximum.
    }
    return new SharedArrayBuffer(pages * PAGE);
  }

  // toCommon returns functions that copy between a program's memory and a common one.
  function toCommon(memory, common) {
    if (common instanceof SharedArrayBuffer) return copier(memory, new Uint8Array(common));
    return new WebAssembly.Instance(copyModule, { memory: { own: memory, common } }).exports;
  }

  // The shared memory of two ends: for each direction, the number of posted entries, and the last of them in a ring
  // buffer. An entry describes a message: its slot, the block of memory that has the slot and the offset in there, and
  // the lengths of small values and lists. A slot belongs to the end that posts; its word says whether it holds a
  // message that has not been read.
  const RING = 1024, ENTRY = 5, SLOTS = 1024, BESIDE = -1;
  const SHARE = 1 + RING * ENTRY + SLOTS; // words a direction

  // shared is one end of a line whose messages are in memory that both ends have. out
  // and back are its two directions, as arrays of SHARE words; signal is the other end's.
  function shared(memory, send, out, back, signal) {
    const blocks = new Map(), theirs = new Map(); // common memory, by number
    const { begin, small, left, read } = reading();
    let slots = [], made = 0, size = 0, room = 0; // blocks made, pages of the last and those that are free
    let entered = 0, opened = 0, due = 0, beside = 0, reads = -1;
    const entry = (n) => 1 + (n % RING) * ENTRY;
    const slot = (n) => 1 + RING * ENTRY + n;
    const empty = (n) => !Atomics.load(out, slot(n));

    // free returns the number of a slot for a number of bytes: the smallest empty one that is large enough, or a new
    // one.
    function free(bytes) {
      const pages = Math.ceil(bytes / PAGE);
      let best = null;
      slots.forEach((s, n) => {
        if (s.pages >= pages && empty(n) && (best === null || s.pages < slots[best].pages)) best = n;
      });
      if (best !== null) return best;
      if (room < pages) addBlock(pages);
      if (slots.length === SLOTS) throw new Error("too many unread messages on a line");
      room -= pages;
      return slots.push({ block: made, at: (size - room - pages) * PAGE, pages }) - 1;
    }

    // addBlock makes room for slots, and sends it to the other end with postMessage. If all
    // slots are empty, the older blocks are dropped.
    function addBlock(pages) {
      if (slots.every((_, n) => empty(n))) {
        slots = [];
        blocks.clear();
        size = 0;
      }
      made++;
      size = room = Math.max(2 * size, 4 * pages);
      const common = makeCommon(size);
      blocks.set(made, toCommon(memory, common));
      send({ block: made, oldest: Math.min(...blocks.keys()), common });
    }

    function enter(n, block, at, small, long) {
      out.set([n, block, at, small, long], entry(entered++));
      Atomics.store(out, 0, entered);
      Atomics.add(signal, 0, 1);
      Atomics.notify(signal, 0);
    }

    function state() {
      if (beside < due) return -1;
      if (Atomics.load(back, 0) === opened) return 0;
      const at = entry(opened);
      if (back[at] === BESIDE) {
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
        const long = lengths(memory, table, lists), n = free(long + small), { block, at } = slots[n];
        const { put } = blocks.get(block);
        write((to, from, length) => put(at + to, from, length), memory, address, small, table, lists);
        Atomics.store(out, slot(n), 1);
        enter(n, block, at, small, long);
      },
      state,
      open() {
        clear();
        const from = entry(opened++), [n, block, at, small, long] = back.subarray(from, from + ENTRY);
        const { take } = theirs.get(block);
        reads = n;
        return begin({ take: (address, from, length) => take(address, at + from, length), small, long });
      },
      small, left, read,
      take(value) {
        if (!value || value.block === undefined) {
          beside++;
          return false;
        }
        const { block, oldest, common } = value;
        for (const n of theirs.keys()) if (n < oldest) theirs.delete(n);
        theirs.set(block, toCommon(memory, common));
        return true;
      },
      announce() { enter(BESIDE, 0, 0, 0, 0); },
    };
  }

  // A signal wakes a program that shares memory with others. wait waits until the signal has been given since the last
  // call, for at most ms milliseconds, and reports whether it was.
  function makeSignal(words = new Int32Array(new SharedArrayBuffer(4))) {
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

  // share returns the shared state of the two ends of a new line, null without shared memory; signal is that of the
  // program on this side.
  function share(signal) {
    if (!signal) return null;
    const direction = () => new Int32Array(new SharedArrayBuffer(4 * SHARE));
    return { there: direction(), back: direction(), signals: [signal.words, makeSignal().words] };
  }

  // makeLine returns one end of a line, for a program with this memory: either the far end or the end that made the
  // line. common is the result of share.
  function makeLine(memory, send, common, far) {
    if (!common) return posted(memory, send);
    const { there, back, signals } = common;
    return far ? shared(memory, send, back, there, signals[0]) : shared(memory, send, there, back, signals[1]);
  }

  globalThis.flockscopeLine = { makeLine, makeSignal, share, near };
})();
