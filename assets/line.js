// line.js carries parcels from one Go program to another, in a worker of its own:
// small things in one piece, and long lists of numbers (see sim/engine/raw.go). It
// reads and writes the memory of the program itself, by addresses: every value of
// JavaScript's that Go gets to see is one more for it to keep track of.
//
// A parcel travels as one ArrayBuffer, the lists first. What was received is kept
// and sent back full of something else, so that a run of a thousand rounds
// allocates no more than one of two.
(() => {
  "use strict";

  // makeLine returns one end of a line, for a program with this memory. send
  // carries a value to the other end, and buffers with it.
  function makeLine(memory, send) {
    const spares = [];
    let parcel, at;
    const bytes = (address, length) => new Uint8Array(memory.buffer, address, length);

    // spare returns a buffer of so many bytes or more: the largest at hand, if that
    // is enough.
    function spare(size) {
      spares.sort((a, b) => a.byteLength - b.byteLength);
      const largest = spares.pop();
      return largest && largest.byteLength >= size ? largest : new ArrayBuffer(size);
    }

    return {
      // post sends small things and lists; the table has each list's address and
      // length in bytes.
      post(address, small, table, lists) {
        const where = new Uint32Array(memory.buffer, table, 2 * lists);
        let long = 0, to = 0;
        for (let i = 1; i < where.length; i += 2) long += where[i];
        const buffer = spare(long + small), all = new Uint8Array(buffer);
        for (let i = 0; i < where.length; i += 2) {
          all.set(bytes(where[i], where[i + 1]), to);
          to += where[i + 1];
        }
        all.set(bytes(address, small), long);
        send({ buffer, small, long }, [buffer]);
      },

      // open begins to read a parcel, which is good until the next post, and returns
      // how long its small things are.
      open(received) {
        parcel = received;
        at = 0;
        spares.push(parcel.buffer);
        return parcel.small;
      },

      // small writes the small things to an address.
      small(address) {
        bytes(address, parcel.small).set(new Uint8Array(parcel.buffer, parcel.long, parcel.small));
      },

      // left returns how many bytes of the lists have not been read.
      left() { return parcel.long - at; },

      // read writes the next of them to an address, and returns how many there were.
      read(address, length) {
        const n = Math.min(length, parcel.long - at);
        bytes(address, n).set(new Uint8Array(parcel.buffer, at, n));
        at += n;
        return n;
      },
    };
  }

  globalThis.flockscopeLine = { makeLine };
})();
