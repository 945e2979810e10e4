import type { Reply } from '../../message/reply.ts';
import type { ClusterContext } from './cluster.ts';
import type { Explainable } from './explainable.ts';
import type { CommandFacts } from './facts.ts';
import type { QueryShape } from './query-shape.ts';
import type { CommandRequest } from './request.ts';

/**
 * A command of the wire protocol, as data. Commands stand in `commands/`, one file per family; the table of all
 * of them (`commands/index.ts`) is what a query worker runs, what is checked against a user's roles, and what
 * `docs/engine.md` lists.
 */
export interface Command extends CommandFacts {
  readonly explain: Explainable | 'refused';
  /** What of its arguments is the shape by which settings of queries are kept; undefined where there are none. */
  readonly queryShape: QueryShape | undefined;
  /** The command that a request is, where that depends on its arguments. */
  variant?(request: CommandRequest): Command;
  /** Fields of the answer without `ok`; a thrown `ServerError` becomes the error answer. */
  run(request: CommandRequest, cluster: ClusterContext): Reply;
}
