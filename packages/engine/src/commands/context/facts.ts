import type { Privilege } from '../../access/privilege.ts';
import type { Audited } from '../../observe/audited.ts';
import type { OperationKind } from '../../observe/operation-kinds.ts';
import type { CommandRequest } from './request.ts';

/**
 * Properties of a command, as authorization, transactions, auditing and replication need them. They are declared with
 * the command, so that no other list of commands has to be kept.
 */
export interface CommandFacts {
  readonly name: string;
  readonly aliases?: readonly string[];
  /** Required privileges; if empty, any authenticated user. `'open'`: also before authentication. */
  readonly privileges: 'open' | ((request: CommandRequest) => readonly Privilege[]);
  /** The kind of operation in counters and reports. */
  readonly operation: OperationKind;
  /**
   * Access to stored data. A writing command runs within the write transaction that a group of waiting commands shares;
   * one without data access also runs while another statement of the cluster is writing.
   */
  readonly data: 'none' | 'read' | 'write';
  /** Members of other kinds do not know the command. */
  readonly knownOn: 'everywhere' | 'routers' | 'sharded clusters';
  readonly database: 'any' | 'admin';
  /** Members that run the command: any, the primary and those the read preference allows, or the primary only. */
  readonly members: 'any' | 'preferred' | 'primary';
  readonly transaction: TransactionRole;
  /** Retryable write: accepts a transaction number outside transactions, and its result is stored for retries. */
  readonly retryable: boolean;
  readonly readConcern: ReadConcernSupport;
  readonly writeConcern: boolean;
  /** Part of the stable API, version 1. */
  readonly stableApi: boolean;
  /** Fields that are not part of the stable API. */
  readonly unstableFields: readonly string[];
  /** May occur in oplog entries, so that `applyOps` can run it. */
  readonly inOplog: boolean;
  /** How the audit stream records it. */
  readonly audit: Audited | 'none';
  /** Arguments masked in logs and the audit stream. */
  readonly secrets: readonly string[];
}

/** `statement`: the first or a later one; `prepare`: known but rejected, since no shard needs it here. */
type TransactionRole = 'never' | 'statement' | 'later statement' | 'commit' | 'abort' | 'prepare';

/** `newest`: every level except `snapshot`. `of cursor`: a getMore has the level of its cursor. */
type ReadConcernSupport = 'local' | 'newest' | 'snapshot' | 'of cursor';

export function endsTransaction({ transaction }: Pick<CommandFacts, 'transaction'>): boolean {
  return transaction === 'commit' || transaction === 'abort' || transaction === 'prepare';
}
