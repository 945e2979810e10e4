import { byBytes } from '../../bson/collation/comparison.ts';
import { documentOf } from '../../bson/raw.ts';
import type { Value } from '../../bson/value.ts';
import { pathOf } from '../paths.ts';
import { equality } from './comparison.ts';
import type { TopLevelOperator } from './operator.ts';

/** How the fields of a DBRef compare: `{$ref: collection, $id: value, $db: database}`. */
const compared = { $ref: 'byBytes', $id: 'byLanguage', $db: 'byBytes' } as const;

/** At the top level of a filter, the names of DBRef fields are ordinary fields, not operators. */
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

/** True if a document whose first field begins with `$` is a DBRef: it has `$ref` and `$id`. */
export function isReference(value: Value): boolean {
  const document = documentOf(value);
  return document.has('$ref') && document.has('$id');
}
