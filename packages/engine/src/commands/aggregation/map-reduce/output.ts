import { documentOf, type RawDocument } from '../../../bson/raw.ts';
import { textOf } from '../../../bson/value.ts';
import { ServerError } from '../../../errors/server-error.ts';
import { byType, notNull } from '../../shared/field-builders.ts';

/** The collection to which the results are written, and how the results are combined with its documents. */
export interface Output {
  readonly kind: 'inline' | 'replace' | 'merge' | 'reduce';
  readonly collection: string;
  readonly database?: string | undefined;
}

const kinds: ReadonlySet<string> = new Set(['inline', 'replace', 'merge', 'reduce']);

/** A document, or the name of the collection to replace. Null is an error. */
export const output = notNull(
  byType(
    {
      string: (value): Output => ({ kind: 'replace', collection: textOf(value) }),
      object: (value): Output => readTarget(documentOf(value)),
    },
    () => new ServerError(13606, "'out' has to be a string or an object"),
  ),
);

function readTarget(doc: RawDocument): Output {
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
