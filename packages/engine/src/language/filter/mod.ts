import { bsonTypes } from '../../bson/bson-types.ts';
import { cutInteger } from '../../bson/numbers/integers.ts';
import { entriesOf } from '../../bson/raw.ts';
import { isNumber, type Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import { boundsOfTypes } from './bounds.ts';
import { leaf, type OperatorTable } from './operator.ts';

export const modOperators: OperatorTable = {
  $mod: (operand, path, context) => {
    const [divisor, remainder] = parseMod(operand);
    return leaf(
      '$mod',
      path,
      (value) => {
        if (value === undefined || !isNumber(value)) return false;
        const whole = cutInteger(value);
        return whole !== undefined && whole % divisor === remainder;
      },
      context,
      { bounds: numbers },
    );
  },
};

const numbers = boundsOfTypes([bsonTypes.double], false);

function parseMod(operand: Value): readonly [bigint, bigint] {
  if (operand.type !== bsonTypes.array)
    throw new ServerError('BadValue', 'malformed mod, needs to be an array');
  const entries = entriesOf(operand);
  const [divisor, remainder] = entries;
  if (divisor === undefined || remainder === undefined) {
    throw new ServerError('BadValue', 'malformed mod, not enough elements');
  }
  if (entries.length > 2) throw new ServerError('BadValue', 'malformed mod, too many elements');
  const parsed = [parseWhole(divisor, 'divisor'), parseWhole(remainder, 'remainder')] as const;
  if (parsed[0] === 0n) throw new ServerError('BadValue', 'divisor cannot be 0');
  return parsed;
}

function parseWhole(value: Value, name: string): bigint {
  const whole = isNumber(value) ? cutInteger(value) : undefined;
  if (whole !== undefined) return whole;
  const problem = isNumber(value) ? 'value is invalid' : 'not a number';
  throw new ServerError('BadValue', `malformed mod, ${name} ${problem}`);
}
