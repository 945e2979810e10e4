import type { Reply } from '../../message/reply.ts';
import type { ClusterContext } from './cluster.ts';
import type { Explainable } from './explainable.ts';
import type { CommandFacts } from './facts.ts';
import type { CommandRequest } from './request.ts';

/**
 * A command of the wire protocol, as data. The files of `commands/` declare commands, one file for each group
 * of related commands. `commands/index.ts` lists all commands. Query threads run them, authorization checks
 * their privileges, and `docs/engine.md` documents them.
 */
export interface Command extends CommandFacts {
  /**
   * The fields of the command and the kind of each (`commands/shared/fields.ts`). Generic arguments are not included.
   */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly explain: Explainable | 'unsupported';
  /** Returns the command that runs in place of this command, depending on the arguments. */
  variant?(request: CommandRequest): Command;
  /** Returns the fields of the reply without `ok`. A `ServerError` becomes an error reply. */
  run(request: CommandRequest, cluster: ClusterContext): Reply;
}
