import { writeDocument } from '../../bson/document-writer.ts';
import { RawDocument } from '../../bson/raw.ts';
import { double, doubleOf, string } from '../../bson/value.ts';
import type { Found } from '../query/run.ts';

/** This file encodes search results as bytes: one document per result. */

/**
 * The limits of a reply: the number of results in the first reply and in later ones, and the number of bytes.
 */
const FIRST = 101;
const MAX_DOCUMENTS = 2_000;
const MAX_BYTES = 4 * 2 ** 20;

/**
 * Takes the next results from `found` for one reply. The first reply is short, because the caller may need only a few
 * results.
 */
export function takeFound(
  found: Iterator<Found>,
  first: boolean,
): { readonly bytes: Uint8Array<ArrayBuffer>; readonly ended: boolean } {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  while (parts.length < (first ? FIRST : MAX_DOCUMENTS) && bytes < MAX_BYTES) {
    const { done, value } = found.next();
    if (done) return { bytes: joined(parts, bytes), ended: true };
    const part = writeFound(value).toBytes();
    parts.push(part);
    bytes += part.length;
  }
  return { bytes: joined(parts, bytes), ended: false };
}

/** Copies the parts into one buffer, which can be transferred to another thread. */
function joined(parts: readonly Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

function writeFound({ document, score, highlights, details, sequenceToken, rootId }: Found): RawDocument {
  return writeDocument((writer) => {
    writer.field('score', double(score));
    if (sequenceToken !== undefined) writer.field('token', string(sequenceToken()));
    if (rootId !== undefined) writer.field('rootId', rootId);
    if (highlights !== undefined) writer.field('highlights', highlights());
    if (details !== undefined) writer.field('details', details());
    writer.field('document', document.toValue());
  });
}

export function* readFound(bytes: Uint8Array): Generator<Found> {
  for (let at = 0; at < bytes.length; ) {
    const one = new RawDocument(bytes, at);
    at += one.length;
    const [score, highlights, details] = [one.get('score'), one.get('highlights'), one.get('details')];
    const [document, token, rootId] = [one.document('document'), one.string('token'), one.get('rootId')];
    if (score === undefined || document === undefined) throw new Error('a search node has sent no document');
    yield {
      document,
      score: doubleOf(score),
      ...(rootId && { rootId }),
      ...(highlights && { highlights: () => highlights }),
      ...(details && { details: () => details }),
      ...(token !== undefined && { sequenceToken: () => token }),
    };
  }
}
