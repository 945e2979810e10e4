import type { Privilege } from '../../access/privilege.ts';
import type { Audited } from '../../observe/audited.ts';
import type { OperationKind } from '../../observe/operation-kinds.ts';
import type { CommandRequest } from './request.ts';

/**
 * Properties of a command for authorization, transactions, auditing and replication. They are declared together with
 * the command, so that no other list of commands is needed.
 */
export interface CommandFacts {
  readonly name: string;
  readonly aliases?: readonly string[];
  /**
   * The required privileges. Even if the list is empty, the caller must be authenticated. A command with
   * `'open'` does not require authentication.
   */
  readonly privileges: 'open' | ((request: CommandRequest) => readonly Privilege[]);
  /** The kind of operation in counters and reports. */
  readonly operation: OperationKind;
  /**
   * The command's access to stored data. With `write`, the command runs in a write transaction. Commands that
   * are waiting at the same time share one write transaction. With `none`, the command may run while another
   * statement of the cluster is writing.
   */
  readonly data: 'none' | 'read' | 'write';
  /** The kind of members on which the command exists. */
  readonly knownOn: 'everywhere' | 'routers' | 'sharded clusters';
  readonly database: 'any' | 'admin';
  /**
   * The members that run the command. `any`: every member. `preferred`: the primary, and the secondaries that
   * the read preference allows. `primary`: only the primary.
   */
  readonly members: 'any' | 'preferred' | 'primary';
  readonly transaction: TransactionRole;
  /**
   * True for a retryable write: it accepts a transaction number outside a transaction, and its result is stored for
   * retries.
   */
  readonly retryable: boolean;
  readonly readConcern: ReadConcernSupport;
  readonly writeConcern: boolean;
  /** True if the command is part of API Version 1. */
  readonly stableApi: boolean;
  /** The fields that are not part of API Version 1. */
  readonly unstableFields: readonly string[];
  /** True if oplog entries can contain the command, so that `applyOps` can run it. */
  readonly inOplog: boolean;
  /** How the audit stream records the command. */
  readonly audit: Audited | 'none';
  /** The arguments that logs and the audit stream mask. */
  readonly secrets: readonly string[];
}

/**
 * `statement`: the command may be the first or a later command of a transaction. `prepare`: the command is
 * rejected, because all shards share one store.
 */
type TransactionRole = 'never' | 'statement' | 'later statement' | 'commit' | 'abort' | 'prepare';

/** `newest`: every level except `snapshot`. `of cursor`: the level of the cursor that `getMore` reads. */
type ReadConcernSupport = 'local' | 'newest' | 'snapshot' | 'of cursor';

export function endsTransaction({ transaction }: Pick<CommandFacts, 'transaction'>): boolean {
  return transaction === 'commit' || transaction === 'abort' || transaction === 'prepare';
}
