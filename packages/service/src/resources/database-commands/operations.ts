import { mayReorder, parseInOrder } from '@portolan/foundation/ordered-json';
import { takeTurns } from '../../api/http/body-budget.ts';
import { requireAny } from '../clusters/index.ts';
import { extension } from '../services.ts';
import { databaseRolesOf, onlyReads } from './rules.ts';
import { runCommand } from './run.ts';
import { CommandReply, DatabaseCommand } from './schema.ts';

export const runDatabaseCommand = extension({
  id: 'runDatabaseCommand',
  tag: 'Database Commands',
  method: 'POST',
  path: '/groups/{groupId}/clusters/{clusterName}/commands',
  isNeutralOnly: true,
  summary:
    "Runs a database command on a cluster. The caller's role in the project determines what the command may do.",
  access: 'Project Data Access Read Only',
  body: DatabaseCommand,
  reply: CommandReply,
  status: 200,
  onlyReads: ({ command }) => onlyReads(command),
  async handler({ services, params, body, bodyText, caller, scope, may, read }) {
    const cluster = await read((tx) => requireAny(tx, params.groupId, params.clusterName));
    const roles = databaseRolesOf((phrase) => scope !== undefined && may(phrase, scope));
    // Read the text, since it has the order of fields with numeric names, which the parsed body has lost. A body can
    // have some megabytes, so let other requests run between the steps.
    const text = bodyText();
    await takeTurns(text.length);
    const whole = mayReorder(text) ? (parseInOrder(text) as DatabaseCommand) : body;
    await takeTurns(text.length);
    return runCommand(
      services,
      cluster,
      { username: caller.name, roles },
      { ...body, command: whole.command },
    );
  },
});
