import { byType, nested, notNull } from '../../shared/field-builders.ts';
import { type Fields, wrongType } from '../../shared/fields.ts';

const clusteredFields = { v: 'int', key: 'object!', name: 'string', unique: 'truth!' } as const;

/**
 * The option `clusteredIndex`: a description, or a flag. Only the buckets of a time series accept a flag, and the
 * command rejects it after other options. Null is an error.
 */
export const clusteredIndex = notNull(
  byType(
    { object: nested(clusteredFields).read, bool: (): 'flag' => 'flag', number: (): 'flag' => 'flag' },
    (value, name, within) => wrongType(value, `${within}.${name}`, ['object', 'bool']),
  ),
);

export type GivenClustered = Fields<typeof clusteredFields> | 'flag';
