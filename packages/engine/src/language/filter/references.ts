import { byBytes } from '../../bson/collation/comparison.ts';
import { documentOf } from '../../bson/raw.ts';
import type { Value } from '../../bson/value.ts';
import { pathOf } from '../paths.ts';
import { equality } from './comparison.ts';
import type { TopLevelOperator } from './operator.ts';

/** Fields of a DBRef: `{$ref: collection, $id: value, $db: database}`. */
const compared = { $ref: 'byBytes', $id: 'byLanguage', $db: 'byBytes' } as const;

/** At the top level these names are fields, either of the document or of a DBRef. */
export const referenceFields: ReadonlyMap<string, TopLevelOperator> = new Map(
  Object.entries(compared).map(([name, how]) => [
    name,
    {
      compile: (operand, { environment }) =>
        equality(
          operand,
          pathOf(name),
          how === 'byLanguage' ? environment : { ...environment, comparison: byBytes },
        ),
      asksDocuments: true,
      inElemMatch: true,
      inProjection: 'allowed',
      inValidator: true,
    },
  ]),
);

/** True if a document whose first field starts with `$` is a DBRef: it has `$ref` and `$id`. */
export function isReference(value: Value): boolean {
  const document = documentOf(value);
  return document.has('$ref') && document.has('$id');
}
