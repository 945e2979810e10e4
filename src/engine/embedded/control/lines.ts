import type { Socket } from 'node:net';

const NEWLINE = 10;

/** Cuts a stream into JSON documents, one per line. `limit` bounds a line, in bytes. */
export class JsonLines {
  limit: number;
  #parts: Buffer[] = [];
  #size = 0;

  constructor(limit: number) {
    this.limit = limit;
  }

  /** The documents that are complete now. Throws when a line is too long or not JSON. */
  push(chunk: Buffer): unknown[] {
    const documents: unknown[] = [];
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      this.#keep(chunk.subarray(start, end));
      documents.push(JSON.parse(Buffer.concat(this.#parts).toString()));
      this.#parts = [];
      this.#size = 0;
      start = end + 1;
    }
    this.#keep(chunk.subarray(start));
    return documents;
  }

  #keep(part: Buffer): void {
    this.#size += part.length;
    if (this.#size > this.limit) throw new Error(`a control message is longer than ${this.limit} bytes`);
    if (part.length > 0) this.#parts.push(part);
  }
}

export function writeLine(socket: Socket, document: object): void {
  if (!socket.destroyed) socket.write(`${JSON.stringify(document)}\n`);
}
