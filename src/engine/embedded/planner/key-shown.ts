import { writeDocument } from '../bson/document-writer.ts';
import { RawDocument } from '../bson/raw.ts';
import type { AccessPath } from '../storage/access.ts';
import { tuplesOf } from '../storage/indexes/tuples.ts';

/** The first key of a document in the index that was used, in the place of the document. */
export function keyShown(path: AccessPath): (document: RawDocument) => RawDocument {
  if (path.kind === 'byId') {
    return (document) =>
      writeDocument((writer) => {
        const id = document.get('_id');
        if (id !== undefined) writer.field('_id', id);
      });
  }
  if (path.kind !== 'index') return () => RawDocument.empty;
  const { index } = path;
  const names = [...index.key].map(({ name }) => name);
  return (document) =>
    writeDocument((writer) => {
      const [tuple = []] = tuplesOf(index, document);
      for (const [i, name] of names.entries()) {
        const value = tuple[i];
        if (value !== undefined) writer.field(name, value);
      }
    });
}
