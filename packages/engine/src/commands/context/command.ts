import type { Reply } from '../../message/reply.ts';
import type { ClusterContext } from './cluster.ts';
import type { Explainable } from './explainable.ts';
import type { CommandFacts } from './facts.ts';
import type { QueryShape } from './query-shape.ts';
import type { CommandRequest } from './request.ts';

/**
 * A command of the wire protocol, as data. The files of `commands/` declare commands, one file per family, and
 * `commands/index.ts` lists them all: query threads run these commands, authorization checks them, and `docs/engine.md`
 * documents them.
 */
export interface Command extends CommandFacts {
  /** The fields of the command without the generic arguments, each with its kind (`commands/shared/fields.ts`). */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly explain: Explainable | 'unsupported';
  /**
   * The arguments that form the query shape for query settings; undefined if the command does not support query
   * settings.
   */
  readonly queryShape: QueryShape | undefined;
  /** Returns another command that runs instead, depending on the arguments. */
  variant?(request: CommandRequest): Command;
  /** Returns the fields of the reply without `ok`. A `ServerError` becomes an error reply. */
  run(request: CommandRequest, cluster: ClusterContext): Reply;
}
