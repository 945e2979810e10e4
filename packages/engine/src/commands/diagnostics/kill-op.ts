import { interruptions } from '../../errors/interruption.ts';
import { ServerError } from '../../errors/server-error.ts';
import type { Command } from '../context/command.ts';
import { command } from '../shared/define.ts';
import { operationId } from '../shared/field-types.ts';
import { withoutData } from '../shared/presets.ts';
import { isOwn } from './current-op.ts';

const killOp = command({
  name: 'killOp',
  ...withoutData,
  database: 'admin',
  // Requires no privileges, because users may kill their own operations. For other operations, `run` checks
  // the privilege.
  privileges: () => [],
  lenient: true,
  fields: { killOp: 'any', op: operationId },
  run({ op }, { caller: { user } }, { operations, accounts }) {
    const found = operations.list().find(({ id }) => id === op);
    const allowed = accounts.allows(user, [{ action: 'killop' }]);
    if (!allowed && (found === undefined || !isOwn(found, user))) {
      throw new ServerError('Unauthorized', 'not authorized on admin to execute command killOp');
    }
    operations.kill((operation) => operation === found, interruptions.killed());
    return { info: 'attempting to kill op' };
  },
});

export const killOpCommands: readonly Command[] = [killOp];
