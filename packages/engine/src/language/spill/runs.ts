import { readInt32 } from '../../bson/bytes.ts';
import { RawDocument } from '../../bson/raw.ts';
import { copied } from '../../bson/turns.ts';
import { int32 } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import { addMetadata, metadataOf } from '../metadata.ts';
import type { SpillFile } from '../workspace.ts';
import { metadataIn, storedMetadata } from './stored-metadata.ts';

/** Number of bytes read from a run at a time. */
const CHUNK = 1 << 18;

/** The length of the metadata of a document that has none. */
const noMetadata = new Uint8Array(4);

/**
 * A range of a spill file that contains consecutive documents. Before each document are the length of its metadata, as
 * an int32, and its metadata.
 */
export interface Run {
  readonly start: number;
  readonly end: number;
}

/** Appends documents and their metadata to a file in blocks. */
export function writeRun(file: SpillFile, docs: Iterable<RawDocument>): Run {
  let start: number | undefined;
  let end = 0;
  let waiting: Uint8Array[] = [];
  let size = 0;
  const flush = () => {
    const at = file.append(Buffer.concat(waiting));
    start ??= at;
    end = at + size;
    copied(size);
    waiting = [];
    size = 0;
  };
  const add = (bytes: Uint8Array) => {
    waiting.push(bytes);
    size += bytes.length;
  };
  for (const doc of docs) {
    const metadata = metadataOf(doc);
    if (metadata === undefined) add(noMetadata);
    else {
      const stored = storedMetadata(metadata).toBytes();
      add(int32(stored.length).bytes);
      add(stored);
    }
    add(doc.toBytes());
    if (size >= CHUNK) flush();
  }
  if (size > 0) flush();
  return { start: start ?? 0, end };
}

/** Reads the documents of a run in order, with their metadata. */
export function* readRun(file: SpillFile, { start, end }: Run): Generator<RawDocument> {
  let at = start;
  while (at < end) {
    let bytes = file.read(at, Math.min(CHUNK, end - at));
    let first = entryLength(bytes, 0);
    while (first > bytes.length) {
      if (first > end - at) throw damaged();
      bytes = file.read(at, first);
      first = entryLength(bytes, 0);
    }
    let offset = 0;
    while (offset < bytes.length) {
      const length = entryLength(bytes, offset);
      if (offset + length > bytes.length) break;
      yield entryAt(bytes, offset);
      offset += length;
    }
    at += offset;
  }
}

/**
 * Returns the length of a document and its metadata. If the bytes end before the length of the document, returns the
 * length of what has to be read to know it.
 */
function entryLength(bytes: Uint8Array, at: number): number {
  if (at + 4 > bytes.length) return 4;
  const before = 4 + readInt32(bytes, at);
  if (before < 4) throw damaged();
  if (at + before + 4 > bytes.length) return before + 4;
  const length = readInt32(bytes, at + before);
  if (length < RawDocument.empty.length) throw damaged();
  return before + length;
}

/** Returns the error for lengths that `writeRun` cannot have written. A reader that accepted them might never end. */
function damaged(): ServerError {
  return new ServerError('DataCorruptionDetected', 'a temporary file of the query is damaged');
}

function entryAt(bytes: Uint8Array, at: number): RawDocument {
  const length = readInt32(bytes, at);
  const place = at + 4 + length;
  const doc = new RawDocument(bytes, place, readInt32(bytes, place));
  if (length > 0) addMetadata(doc, metadataIn(new RawDocument(bytes, at + 4, length)));
  return doc;
}
