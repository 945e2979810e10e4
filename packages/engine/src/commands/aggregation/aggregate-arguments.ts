import { typeName } from '../../bson/bson-types.ts';
import { toNumber } from '../../bson/numbers/convert.ts';
import { textOf } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import { cursorOptions } from '../shared/cursor-options.ts';
import { byType, notNull, required } from '../shared/field-builders.ts';

/** The collection that a pipeline reads, or the number 1 for the whole database. */
export const pipelineSource = required(
  notNull(
    byType(
      {
        string: textOf,
        number(value): 1 {
          if (toNumber(value) === 1) return 1;
          throw new ServerError(
            'BadValue',
            "Invalid command format: the 'aggregate' field must specify a collection name or 1",
          );
        },
      },
      ({ type }) => new ServerError('InvalidNamespace', `collection name has invalid type ${typeName(type)}`),
    ),
  ),
);

/** The options of the cursor. Null is an error. */
export const pipelineCursor = notNull(
  byType(
    { object: cursorOptions.read },
    () => new ServerError('TypeMismatch', 'cursor field must be missing or an object'),
  ),
);
