import { bsonTypes } from '../../bson/bson-types.ts';
import { documentOf } from '../../bson/raw.ts';
import { textOf, type Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import type { PlanOptions } from '../../planner/plan.ts';

/** Parses a hint, which is a string or a document. Throws `FailedToParse` for other types. */
export function hintOf(hint: Value): NonNullable<PlanOptions['hint']> {
  if (hint.type === bsonTypes.string) return textOf(hint);
  if (hint.type === bsonTypes.object) return documentOf(hint);
  throw new ServerError('FailedToParse', 'Hint must be a string or an object');
}
