import { documentOf } from '../../bson/raw.ts';
import type { Value } from '../../bson/value.ts';
import { pathOf } from '../paths.ts';
import { equality } from './comparison.ts';
import type { TopLevelOperator } from './operator.ts';

/** Fields of a reference to another document: `{$ref: collection, $id: value, $db: database}`. */
const compared = { $ref: 'byBytes', $id: 'byLanguage', $db: 'byBytes' } as const;

/** In the place of a field each of these names is a field, of the document or of an entry that is such a reference. */
export const referenceFields: ReadonlyMap<string, TopLevelOperator> = new Map(
  Object.entries(compared).map(([name, how]) => [
    name,
    {
      compile: (operand, { environment }) =>
        equality(operand, pathOf(name), how === 'byLanguage' ? environment.comparison : undefined),
      asksDocuments: true,
      inElemMatch: true,
      inProjection: 'allowed',
      inValidator: true,
    },
  ]),
);

/** Whether a document whose first field looks like an operator is a reference: it names a collection and a value. */
export function isReference(value: Value): boolean {
  const document = documentOf(value);
  return document.has('$ref') && document.has('$id');
}
