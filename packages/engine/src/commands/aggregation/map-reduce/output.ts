import { bsonTypes } from '../../../bson/bson-types.ts';
import { documentOf, type RawDocument } from '../../../bson/raw.ts';
import { textOf, type Value } from '../../../bson/value.ts';
import { ServerError } from '../../../errors/server-error.ts';

/** The collection to which the results are written, and how the results are combined with its documents. */
export interface Output {
  readonly kind: 'inline' | 'replace' | 'merge' | 'reduce';
  readonly collection: string;
  readonly database?: string | undefined;
}

const kinds: ReadonlySet<string> = new Set(['inline', 'replace', 'merge', 'reduce']);

/** Parses `out`: a document, or the name of the collection to replace. */
export function readOutput(out: Value): Output {
  if (out.type === bsonTypes.string) return { kind: 'replace', collection: textOf(out) };
  if (out.type !== bsonTypes.object) {
    throw new ServerError(13606, "'out' has to be a string or an object");
  }
  const doc = documentOf(out);
  const kind = doc.first()?.name ?? '';
  if (!kinds.has(kind)) throw new ServerError(13522, `unknown out specifier [${kind}]`);
  if (kind !== 'inline')
    return { kind: kind as Output['kind'], collection: nameOf(doc, kind), database: doc.string('db') };
  if (doc.has('db')) throw new ServerError('BadValue', 'db cannot be given for inline results');
  return { kind: 'inline', collection: '' };
}

function nameOf(doc: RawDocument, kind: string): string {
  return doc.string(kind, 'mapReduce.out') ?? '';
}
