import type { Format } from '../schema/query.ts';
import { pretty } from './pretty.ts';

/** What is answered, before it is put into an envelope. */
export type Document =
  /** A list has a wrapper already, which gains `status`. */
  | { readonly kind: 'list'; readonly value: Readonly<Record<string, unknown>> }
  | { readonly kind: 'whole'; readonly value: unknown };

/** The text of an answer: envelope, then pretty printing (behaviour reference 5). */
export function written(document: Document, status: number, format: Format): string {
  const value = format.envelope ? enveloped(document, status) : document.value;
  return format.pretty ? pretty(value) : JSON.stringify(value);
}

function enveloped(document: Document, status: number): unknown {
  if (document.kind === 'whole') return { content: document.value, status };
  const { links, results, totalCount } = document.value;
  return { links, results, status, totalCount };
}
