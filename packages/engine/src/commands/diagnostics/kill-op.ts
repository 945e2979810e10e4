import { typeName } from '../../bson/bson-types.ts';
import { describe } from '../../bson/describe.ts';
import { exactInteger } from '../../bson/numbers/integers.ts';
import { isNumber, type Value } from '../../bson/value.ts';
import { interruptions } from '../../errors/interruption.ts';
import { ServerError } from '../../errors/server-error.ts';
import type { Command } from '../context/command.ts';
import { command } from '../shared/define.ts';
import { withoutData } from '../shared/presets.ts';
import { isOwn } from './current-op.ts';

const killOp = command({
  name: 'killOp',
  ...withoutData,
  database: 'admin',
  // Users may kill their own operations; for others the privilege is checked below.
  privileges: () => [],
  lenient: true,
  fields: { killOp: 'any', op: 'value' },
  run({ op }, { caller: { user } }, { operations, accounts }) {
    const id = operationId(op);
    const found = operations.list().find((operation) => operation.id === id);
    const allowed = accounts.allows(user, [{ action: 'killop' }]);
    if (!allowed && (found === undefined || !isOwn(found, user))) {
      throw new ServerError('Unauthorized', 'not authorized on admin to execute command killOp');
    }
    operations.kill((operation) => operation === found, interruptions.killed());
    return { info: 'attempting to kill op' };
  },
});

function operationId(value: Value | undefined): number {
  if (value === undefined) throw new ServerError('NoSuchKey', 'Missing expected field "op"');
  if (!isNumber(value)) {
    const type = typeName(value.type);
    throw new ServerError('TypeMismatch', `"op" had the wrong type. Expected numeric, found ${type}`);
  }
  const id = exactInteger(value);
  if (id === undefined) {
    throw new ServerError(
      'BadValue',
      `Expected field "op" to have a value exactly representable as a 64-bit integer, but found op: ${describe(value)}`,
    );
  }
  if (id === BigInt.asIntN(32, id)) return Number(id);
  throw new ServerError(26823, `invalid op : ${id}. Op ID cannot be represented with 32 bits`);
}

export const killOpCommands: readonly Command[] = [killOp];
