import { nextTurn } from '@portolan/foundation/next-turn';
import type { PlainObject } from '@portolan/foundation/plain-object';
import type { Format } from '../schema/query.ts';
import { isLarge, jsonPieces } from './json-pieces.ts';
import { pretty } from './pretty.ts';
import { TextPieces } from './text-pieces.ts';

/** A response before the envelope is added. */
export type Document =
  /** The document of a list is an object. The envelope adds `status` to this object. */
  | { readonly kind: 'list'; readonly value: PlainObject }
  | { readonly kind: 'whole'; readonly value: unknown };

/** Serializes a response: adds the envelope, then formats the text (docs/contract/access.md 5). */
export function written(document: Document, status: number, format: Format): string {
  return serialized(responseOf(document, status, format), format);
}

/**
 * Number of characters that are serialized without a pause for other requests. Serializing them takes less than a
 * millisecond.
 */
const TURN_CHARACTERS = 64 * 1024;

/**
 * Serializes a response of any size. Large responses are serialized in pieces, so that other requests are served in
 * between. The text of such a response is encoded.
 */
export async function writtenInTurns(
  document: Document,
  status: number,
  format: Format,
  turn: () => Promise<void> = nextTurn,
): Promise<string | TextPieces> {
  const value = responseOf(document, status, format);
  if (!isLarge(value)) return serialized(value, format);
  const encoded: Buffer[] = [];
  let text = '';
  for (const piece of jsonPieces(value, format.pretty ? '' : undefined)) {
    text += piece;
    if (text.length < TURN_CHARACTERS) continue;
    encoded.push(Buffer.from(text));
    text = '';
    await turn();
  }
  if (encoded.length === 0) return text;
  if (text !== '') encoded.push(Buffer.from(text));
  return new TextPieces(encoded);
}

function responseOf(document: Document, status: number, { envelope }: Format): unknown {
  return envelope ? enveloped(document, status) : document.value;
}

function serialized(value: unknown, format: Format): string {
  return format.pretty ? pretty(value) : JSON.stringify(value);
}

function enveloped(document: Document, status: number): unknown {
  if (document.kind === 'whole') return { content: document.value, status };
  const { links, results, totalCount } = document.value;
  return { links, results, status, totalCount };
}
