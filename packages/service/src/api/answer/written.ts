import type { PlainObject } from '@portolan/foundation/plain-object';
import type { Format } from '../schema/query.ts';
import { pretty } from './pretty.ts';

/** A response before the envelope is added. */
export type Document =
  /** A list already has a wrapper; the envelope adds `status` to it. */
  | { readonly kind: 'list'; readonly value: PlainObject }
  | { readonly kind: 'whole'; readonly value: unknown };

/** Serializes a response: envelope, then pretty printing (docs/contract/access.md 5). */
export function written(document: Document, status: number, format: Format): string {
  const value = format.envelope ? enveloped(document, status) : document.value;
  return format.pretty ? pretty(value) : JSON.stringify(value);
}

function enveloped(document: Document, status: number): unknown {
  if (document.kind === 'whole') return { content: document.value, status };
  const { links, results, totalCount } = document.value;
  return { links, results, status, totalCount };
}
