import { nextTurn } from '@portolan/foundation/next-turn';
import type { PlainObject } from '@portolan/foundation/plain-object';
import { generalFaults } from '../faults.ts';
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

interface Writing {
  /** Maximum size of a large response in bytes. By default, there is none. */
  readonly most?: number;
  readonly turn?: () => Promise<void>;
}

/**
 * Serializes a response. Large responses are serialized in pieces, so that other requests are served in between. The
 * text of such a response is encoded. Throws if it is longer than `most`.
 */
export async function writtenInTurns(
  document: Document,
  status: number,
  format: Format,
  { most = Number.POSITIVE_INFINITY, turn = nextTurn }: Writing = {},
): Promise<string | TextPieces> {
  const value = responseOf(document, status, format);
  if (!isLarge(value)) return serialized(value, format);
  const encoded: Buffer[] = [];
  let length = 0;
  let text = '';
  for (const piece of jsonPieces(value, format.pretty ? '' : undefined)) {
    text += piece;
    if (text.length < TURN_CHARACTERS) continue;
    const bytes = Buffer.from(text);
    length += bytes.length;
    if (length > most) throw generalFaults.PLATFORM_GENERAL_ERROR(tooLong(most));
    encoded.push(bytes);
    text = '';
    await turn();
  }
  if (encoded.length === 0) return text;
  if (text !== '') encoded.push(Buffer.from(text));
  return new TextPieces(encoded);
}

const tooLong = (most: number) =>
  `The response would be longer than ${most / 2 ** 20} MiB. Request fewer items per page.`;

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
