import { RawDocument } from '../../bson/raw.ts';
import { compileProjection } from '../../language/projection/index.ts';
import type { StoredSource } from '../mapping/field.ts';

/**
 * Returns a function that reduces a document to its stored fields. `within` is the path of the documents if they are
 * embedded.
 */
export function storedShape(
  stored: StoredSource | undefined,
  within?: string,
): (doc: RawDocument) => RawDocument {
  if (stored === undefined || stored === true) return (doc) => doc;
  const [paths, value] = 'include' in stored ? [stored.include, 1] : [stored.exclude, 0];
  const around = `${within}.`;
  const named = paths.map((path) => [path.startsWith(around) ? path.slice(around.length) : path, value]);
  const projection = compileProjection(RawDocument.from(Object.fromEntries(named)));
  return (doc) => projection.apply(doc);
}
