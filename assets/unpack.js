// unpack.js puts the compiled program together from the form in which it travels,
// from which a compressor makes two thirds of what it makes of the program. The
// format is described in wasm/pack, whose Unpack this follows step by step.
(() => {
  "use strict";

  // The streams and the kinds of operands; see wasm/pack.
  const [AROUND, WORDS, TEXT, LOCALS, TABLES, CALLS, JUMPS, RETURNS, ADDRESSES,,, FLOATS,, FIELDS, FIELDS_SET, RANKS, SLOTS, SLOTS_SET, STREAMS] = Array(19).keys();
  const [, OPEN, CLOSE, BRANCH, LEB, RAW, LOAD, STORE, TABLE, CALL, JUMP, RET, ADDRESS] = Array(13).keys();
  const magic = [0x66, 0x6c, 0x6b, 1]; // "flk", version 1
  const firstFunction = 0x1000;
  const lengthBytes = 5; // left free before a function, until its length is known
  const rareByte = 255;
  const maxRanks = 255;
  const maxPhrase = 1024;
  const damaged = () => new Error("it is damaged");

  // unpack returns the bytes of the module, given those that were packed.
  function unpack(packed) {
    // next is where in packed each stream is read; what comes before the streams
    // is read as if it was one.
    const next = new Int32Array(STREAMS + 1), ends = [];
    const byte = (s) => packed[next[s]++];
    const uint = (s) => {
      let v = 0, shift = 0, b;
      do {
        b = byte(s);
        v |= (b & 127) << shift;
        shift += 7;
      } while (b > 127);
      return v >>> 0;
    };
    if (magic.some((b) => byte(STREAMS) !== b)) throw damaged();
    const length = uint(STREAMS), from = uint(STREAMS), functions = uint(STREAMS);
    for (let s = 0; s < STREAMS; s++) ends.push(uint(STREAMS));
    let sum = next[STREAMS];
    for (let s = 0; s < STREAMS; s++) {
      next[s] = sum;
      ends[s] = sum += ends[s];
    }
    if (sum !== packed.length || from > ends[AROUND] - next[AROUND] || length > 2 ** 28) throw damaged();

    const out = new Uint8Array(length + lengthBytes);
    let at = 0;
    const copy = (s, n) => { // n bytes of a stream
      for (; n > 0; n--) out[at++] = packed[next[s]++];
    };
    const copyNumber = (s) => {
      do { out[at] = packed[next[s]++]; } while (out[at++] > 127);
    };
    const putUint = (v) => {
      for (; v > 127; v >>>= 7) out[at++] = v | 128;
      out[at++] = v;
    };
    const putInt = (v) => { // not negative
      for (; v > 63; v = (v - (v & 127)) / 128) out[at++] = v & 127 | 128;
      out[at++] = v;
    };

    // The words, and what each byte of the text stands for: meaning[i] are words
    // from starts[code] to stops[code]. What two bytes stand for comes after that.
    const count = uint(WORDS);
    const operands = new Uint8Array(count), params = new Uint8Array(count), shapes = new Uint8Array(count);
    const bytes = new Int32Array(count), lengths = new Uint8Array(count); // in packed
    for (let n = 0; n < count; n++) {
      operands[n] = byte(WORDS);
      params[n] = byte(WORDS);
      shapes[n] = byte(WORDS);
      lengths[n] = byte(WORDS);
      bytes[n] = next[WORDS];
      next[WORDS] += lengths[n];
    }
    const common = byte(WORDS);
    const meaning = [], starts = new Int32Array(rareByte + 257), stops = new Int32Array(rareByte + 257);
    for (let n = 0; n < count; n++) {
      const code = n < common ? n : n - common + rareByte + 1;
      starts[code] = n;
      stops[code] = meaning.push(n);
    }
    for (let code = common; next[WORDS] < ends[WORDS]; code++) {
      const a = byte(WORDS), b = byte(WORDS);
      starts[code] = meaning.length;
      meaning.push(...meaning.slice(starts[a], stops[a]), ...meaning.slice(starts[b], stops[b]));
      stops[code] = meaning.length;
      if (stops[code] - starts[code] > maxPhrase) throw damaged();
    }

    // The present function: which it is and where it begins; how many blocks are
    // open, and how many were at its br_table; to each block of that, the first
    // number; which values on the stack are Go's stack pointer; the locations on
    // Go's stack, the one last used first.
    let f = 0, body = 0, depth = 0, blocks = 0, values = 0, known = 0, ranked = 0;
    const first = new Int32Array(1 << 16), recent = new Uint32Array(maxRanks);
    const number = (block) => (block >= 0 && block < known ? first[block] : 0);

    function begin() {
      depth = blocks = values = known = ranked = 0;
      body = at;
      at += lengthBytes;
      const groups = byte(LOCALS);
      out[at++] = groups;
      for (let i = 0; i < groups; i++) {
        copyNumber(LOCALS);
        copy(LOCALS, 1);
      }
    }

    function end() {
      const stop = at;
      at = body;
      putUint(stop - body - lengthBytes);
      out.copyWithin(at, body + lengthBytes, stop);
      at += stop - body - lengthBytes;
      if (++f < functions) begin();
    }

    // use makes the location of a rank the one last used.
    function use(offset, rank) {
      if (rank === ranked && ranked < maxRanks) ranked++;
      for (let i = Math.min(rank, ranked - 1); i > 0; i--) recent[i] = recent[i - 1];
      recent[0] = offset;
      putUint(offset);
    }

    const bitsOffset = (v) => (v & 1 ? v >>> 1 : v << 2);
    const zagzig = (v) => v >>> 1 ^ -(v & 1);

    function load() {
      const rank = byte(RANKS);
      if (rank < maxRanks) use(recent[rank], rank);
      else use(bitsOffset(uint(SLOTS)), ranked);
    }

    function store() {
      const offset = bitsOffset(uint(SLOTS_SET));
      let rank = 0;
      while (rank < ranked && recent[rank] !== offset) rank++;
      use(offset, rank);
    }

    function table() {
      const fewer = uint(TABLES);
      if (fewer === 0) {
        const n = uint(TABLES);
        if (n > length - at) throw damaged();
        putUint(n - 1);
        for (let i = 0; i < n; i++) copyNumber(TABLES);
        return;
      }
      blocks = depth;
      known = Math.min(depth + 1 - fewer, first.length);
      const runs = next[TABLES];
      let n = 0;
      for (let block = 0; block < known; block++) {
        first[block] = n;
        n += uint(TABLES);
      }
      if (n > length - at) throw damaged();
      putUint(n - 1);
      next[TABLES] = runs;
      for (let block = 0; block < known; block++) {
        for (let run = uint(TABLES); run > 0; run--) putUint(block);
      }
    }

    function word(n) {
      for (let i = bytes[n], stop = i + lengths[n]; i < stop; i++) out[at++] = packed[i];
      const loads = values & 1, stores = values & 2, shape = shapes[n];
      values = values >>> (shape & 3) << (shape >> 2 & 3) | shape >> 4;
      switch (operands[n]) {
        case OPEN: depth++; break;
        case CLOSE: if (--depth < 0) end(); break;
        case BRANCH: putUint(depth - params[n]); break;
        case LEB: copyNumber(params[n]); break;
        case RAW: copy(FLOATS, params[n]); break;
        case LOAD: if (loads) load(); else copyNumber(FIELDS); break;
        case STORE: if (stores) store(); else copyNumber(FIELDS_SET); break;
        case TABLE: table(); break;
        case CALL: putInt(byte(CALLS) << 8 | byte(CALLS)); break;
        case JUMP: putInt(number(blocks - depth + zagzig(uint(JUMPS)))); break;
        case RET: putInt((firstFunction + f) * 65536 + number(blocks - depth + 1) - 1 - (params[n] ? zagzig(uint(RETURNS)) : 0)); break;
        case ADDRESS: putInt(byte(ADDRESSES) * 2 ** 24 + (byte(ADDRESSES) << 16 | byte(ADDRESSES) << 8 | byte(ADDRESSES))); break;
      }
    }

    copy(AROUND, from);
    if (functions > 0) begin();
    while (f < functions) {
      let code = byte(TEXT);
      if (code === rareByte) code += 1 + byte(TEXT);
      for (let i = starts[code], stop = stops[code]; i < stop; i++) word(meaning[i]);
      if (next[TEXT] > ends[TEXT] || at > length + lengthBytes) throw damaged();
    }
    copy(AROUND, ends[AROUND] - next[AROUND]);
    for (let s = 0; s < STREAMS; s++) if (next[s] !== ends[s]) throw damaged();
    if (at !== length) throw damaged();
    return out.subarray(0, length);
  }

  globalThis.flockscopeUnpack = unpack;
})();
