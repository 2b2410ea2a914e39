// unpack.js restores the compiled program from the packed form in which it is sent, which
// compresses to two thirds of the size. The format is described in wasm/pack, whose
// Unpack this follows step by step.
(() => {
  "use strict";

  // The streams, and the kinds of operands; see wasm/pack.
  const [AROUND, WORDS, TEXT, LOCALS, TABLES, CALLS, JUMPS, RETURNS, ADDRESSES,,, FLOATS,, FIELDS, FIELDS_SET, RANKS, SLOTS, SLOTS_SET, STREAMS] = Array(19).keys();
  const [, OPEN, CLOSE, BRANCH, LEB, RAW, LOAD, STORE, TABLE, CALL, JUMP, RET, ADDRESS] = Array(13).keys();
  const magic = [0x66, 0x6c, 0x6b, 1]; // "flk", version 1
  const wasmHeader = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
  const firstFunction = 0x1000;
  const lengthBytes = 5; // left free before a function, until its length is known
  const rareByte = 255;
  const maxRanks = 255;
  const maxPhrase = 1024;
  const reshape = (values, shape) => values >>> (shape & 3) << (shape >> 2 & 3) | shape >> 4;
  const damaged = () => new Error("it is damaged");

  // unpack returns the bytes of the module, given the packed bytes. Bytes that begin as
  // a module were not packed.
  function unpack(packed) {
    if (wasmHeader.every((b, i) => packed[i] === b)) return packed;
    // next is the position in packed of each stream; the header before the streams
    // counts as one.
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

    // What each byte of the text stands for: steps, from starts[code] to
    // starts[code + 1]. A step is some words of which only the last has an operand.
    // It writes bytes, of the pool from froms[step] to froms[step + 1]; changes values
    // (see below) as its words would one after the other; counts the blocks that
    // it opens; and writes the operand. What two bytes stand for comes after that.
    const count = uint(WORDS), list = [];
    for (let n = 0; n < count; n++) {
      const [operand, param, shape, length] = [byte(WORDS), byte(WORDS), byte(WORDS), byte(WORDS)];
      list.push({ operand, param, shape, bytes: packed.subarray(next[WORDS], next[WORDS] += length) });
    }
    const common = byte(WORDS), meanings = list.slice(0, common).map((word) => [word]);
    while (next[WORDS] < ends[WORDS]) {
      const both = [...meanings[byte(WORDS)] ?? [], ...meanings[byte(WORDS)] ?? []];
      if (meanings.push(both) > rareByte || both.length > maxPhrase) throw damaged();
    }
    while (meanings.length <= rareByte) meanings.push([]);
    for (const word of list.slice(common)) meanings.push([word]);

    const steps = { starts: [0], pool: [], froms: [0], ups: [], downs: [], keeps: [], sets: [], opens: [], operands: [], params: [] };
    for (const words of meanings) {
      let zeros = 0, ones = -1, more = 0, opened = 0; // zeros and ones are what becomes of such values
      words.forEach(({ operand, param, shape, bytes }, i) => {
        steps.pool.push(...bytes);
        if (operand === OPEN) opened++;
        if (operand !== LOAD && operand !== STORE) { // whose operands depend on the values before
          zeros = reshape(zeros, shape);
          ones = reshape(ones, shape);
          more += (shape >> 2 & 3) - (shape & 3);
        }
        if (operand <= OPEN && i < words.length - 1) return;
        steps.froms.push(steps.pool.length);
        steps.ups.push(Math.max(more, 0));
        steps.downs.push(Math.max(-more, 0));
        steps.keeps.push(zeros ^ ones);
        steps.sets.push(zeros);
        steps.opens.push(opened);
        steps.operands.push(operand);
        steps.params.push(param);
        zeros = more = opened = 0;
        ones = -1;
      });
      steps.starts.push(steps.operands.length);
    }

    const { starts, pool, froms, ups, downs, keeps, sets, opens, operands, params } =
      Object.fromEntries(Object.entries(steps).map(([name, list]) => [name, Int32Array.from(list)]));

    // The current function: its index and where it begins; how many blocks are open, and
    // how many were at its br_table; for each block of that, the first number; which values
    // on the stack are Go's stack pointer; the locations on Go's stack, the last used first.
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

    // use moves the location of a rank to rank 0.
    function use(offset, rank) {
      if (rank === ranked && ranked < maxRanks) ranked++;
      for (let i = Math.min(rank, ranked - 1); i > 0; i--) recent[i] = recent[i - 1];
      recent[0] = offset;
      putUint(offset);
    }

    const bitsOffset = (v) => (v & 1 ? v >>> 1 : v << 2);
    const unzigzag = (v) => v >>> 1 ^ -(v & 1);

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

    function step(i) {
      for (let k = froms[i], stop = froms[i + 1]; k < stop; k++) out[at++] = pool[k];
      values = values >>> downs[i] << ups[i] & keeps[i] | sets[i];
      depth += opens[i];
      switch (operands[i]) {
        case CLOSE: if (--depth < 0) end(); break;
        case BRANCH: putUint(depth - params[i]); break;
        case LEB: copyNumber(params[i]); break;
        case RAW: copy(FLOATS, params[i]); break;
        case LOAD: if (values & 1) load(); else copyNumber(FIELDS); values &= ~1; break;
        case STORE: if (values & 2) store(); else copyNumber(FIELDS_SET); values >>>= 2; break;
        case TABLE: table(); break;
        case CALL: putInt(byte(CALLS) << 8 | byte(CALLS)); break;
        case JUMP: putInt(number(blocks - depth + unzigzag(uint(JUMPS)))); break;
        case RET: putInt((firstFunction + f) * 65536 + number(blocks - depth + 1) - 1 - (params[i] ? unzigzag(uint(RETURNS)) : 0)); break;
        case ADDRESS: putInt(byte(ADDRESSES) * 2 ** 24 + (byte(ADDRESSES) << 16 | byte(ADDRESSES) << 8 | byte(ADDRESSES))); break;
      }
    }

    copy(AROUND, from);
    if (functions > 0) begin();
    while (f < functions) {
      let code = byte(TEXT);
      if (code === rareByte) code += 1 + byte(TEXT);
      for (let i = starts[code], stop = starts[code + 1]; i < stop; i++) step(i);
      if (next[TEXT] > ends[TEXT] || at > length + lengthBytes) throw damaged();
    }
    copy(AROUND, ends[AROUND] - next[AROUND]);
    for (let s = 0; s < STREAMS; s++) if (next[s] !== ends[s]) throw damaged();
    if (at !== length) throw damaged();
    return out.subarray(0, length);
  }

  globalThis.flockscopeUnpack = unpack;
})();
