import type { Reply } from '../../message/reply.ts';
import type { ClusterContext } from './cluster.ts';
import type { Explainable } from './explainable.ts';
import type { CommandFacts } from './facts.ts';
import type { QueryShape } from './query-shape.ts';
import type { CommandRequest } from './request.ts';

/**
 * A command of the wire protocol, as data. Commands are declared in `commands/`, one file per family. The table of all
 * commands (`commands/index.ts`) is what query workers run, what authorization checks, and what `docs/engine.md` lists.
 */
export interface Command extends CommandFacts {
  /** The fields besides the generic arguments: name to kind (`commands/shared/fields.ts`). */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly explain: Explainable | 'unsupported';
  /** The arguments that form the query shape for query settings; undefined if the command has no query settings. */
  readonly queryShape: QueryShape | undefined;
  /** Selects the actual command if it depends on the arguments. */
  variant?(request: CommandRequest): Command;
  /** Returns the reply's fields without `ok`; a thrown `ServerError` becomes the error reply. */
  run(request: CommandRequest, cluster: ClusterContext): Reply;
}
