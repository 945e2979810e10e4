import { describe } from '../../bson/describe.ts';
import type { Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';

/** Returns the error of an update that changes the `_id`. */
export function otherId(id: Value): ServerError {
  return new ServerError(
    'ImmutableField',
    'After applying the update, the (immutable) field ' +
      `'_id' was found to have been altered to _id: ${describe(id)}`,
  );
}
