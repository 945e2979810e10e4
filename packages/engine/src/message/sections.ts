import { MAX_STATEMENTS } from './batch-size.ts';

/** The kinds of sections in an OP_MSG. */
export const BODY = 0;
const SEQUENCE = 1;
export const SMALLEST_DOCUMENT = 5;

/** Maximum number of document sequences in a message. No command has more than two. */
const MAX_SEQUENCES = 4;
/**
 * Maximum number of documents in the sequences of a message: ten times the maximum for a command. A message with fewer
 * documents, but too many for its command, gets the error of the command. For a message with more documents, the
 * connection is closed. Counting them would take too long, because a message has room for nine million documents.
 */
const MAX_DOCUMENTS = 10 * MAX_STATEMENTS;

/** Thrown if bytes are not a valid message. The connection is then closed. */
export class MalformedMessage extends Error {
  override readonly name = 'MalformedMessage';
}

export interface Sections {
  readonly body: Uint8Array;
  /**
   * The documents of each sequence. If a sequence has more than `MAX_STATEMENTS` documents, this contains only the
   * first ones.
   */
  readonly sequences: ReadonlyMap<string, readonly Uint8Array[]>;
  /** Number of documents in the largest sequence. */
  readonly largest: number;
}

/** Finds the documents of an OP_MSG without parsing them. Throws `MalformedMessage`. */
export function splitSections(bytes: Uint8Array): Sections {
  const sequences = new Map<string, Uint8Array[]>();
  let documents: Uint8Array[] = [];
  let count = 0;
  let largest = 0;
  const body = walkSections(bytes, {
    sequence(name) {
      if (sequences.has(name)) throw new MalformedMessage(`two document sequences are called ${name}`);
      documents = [];
      count = 0;
      sequences.set(name, documents);
    },
    document(start, end) {
      // Keep no more documents than a command may have: the object for a small document takes 50 times the bytes of the
      // document.
      largest = Math.max(largest, ++count);
      if (count <= MAX_STATEMENTS) documents.push(bytes.subarray(start, end));
    },
  });
  return { body, sequences, largest };
}

interface SectionVisitor {
  sequence(name: string): void;
  document(start: number, end: number): void;
}

/** Visits the documents of an OP_MSG and returns its body. Throws `MalformedMessage`. */
export function walkSections(bytes: Uint8Array, visitor?: SectionVisitor): Uint8Array {
  const view = viewOf(bytes);
  let body: Uint8Array | undefined;
  const counts = { sequences: 0, documents: 0 };
  for (let at = 0; at < bytes.length; ) {
    const kind = bytes[at];
    const start = at + 1;
    if (kind === BODY) {
      if (body !== undefined) throw new MalformedMessage('OP_MSG has two bodies');
      at = documentEnd(view, start, bytes.length);
      body = bytes.subarray(start, at);
    } else if (kind === SEQUENCE) {
      at = walkSequence(bytes, view, start, counts, visitor);
    } else {
      throw new MalformedMessage(`OP_MSG has a section of unknown kind ${kind}`);
    }
  }
  if (body === undefined) throw new MalformedMessage('OP_MSG has no body');
  return body;
}

function walkSequence(
  bytes: Uint8Array,
  view: DataView,
  start: number,
  counts: { sequences: number; documents: number },
  visitor?: SectionVisitor,
): number {
  if (++counts.sequences > MAX_SEQUENCES)
    throw new MalformedMessage('OP_MSG has too many document sequences');
  // The shortest document sequence consists of its length and an empty name.
  const end = lengthEnd(view, start, bytes.length, SMALLEST_DOCUMENT);
  const nameEnd = bytes.indexOf(0, start + 4);
  if (nameEnd === -1 || nameEnd >= end) throw new MalformedMessage('document sequence without a name');
  visitor?.sequence(Buffer.from(bytes.subarray(start + 4, nameEnd)).toString());
  for (let at = nameEnd + 1; at < end; ) {
    if (++counts.documents > MAX_DOCUMENTS) throw new MalformedMessage('OP_MSG has too many documents');
    const next = documentEnd(view, at, end);
    visitor?.document(at, next);
    at = next;
  }
  return end;
}

export function documentEnd(view: DataView, at: number, limit: number): number {
  return lengthEnd(view, at, limit, SMALLEST_DOCUMENT);
}

/** Returns the end of a structure whose total length is stored at `at`. */
function lengthEnd(view: DataView, at: number, limit: number, least: number): number {
  if (at + 4 > limit) throw new MalformedMessage('message ends within a length');
  const length = view.getInt32(at, true);
  if (length < least || at + length > limit) throw new MalformedMessage(`length ${length} does not fit`);
  return at + length;
}

export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
