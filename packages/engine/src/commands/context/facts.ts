import type { Privilege } from '../../access/privilege.ts';
import type { Audited } from '../../observe/audited.ts';
import type { OperationKind } from '../../observe/operation-kinds.ts';
import type { CommandRequest } from './request.ts';

/**
 * What is known of a command besides what it does. Whoever needs one of these facts reads it here, so that no other
 * list of commands has to be kept.
 */
export interface CommandFacts {
  readonly name: string;
  readonly aliases?: readonly string[];
  /** What the caller must be allowed to do; none of them: any logged-in user. `'open'`: also before log-in. */
  readonly privileges: 'open' | ((request: CommandRequest) => readonly Privilege[]);
  /** As what it is counted and shown. */
  readonly operation: OperationKind;
  /**
   * What it has to do with what is stored. What writes runs inside the write transaction that a group of waiting
   * commands shares; what touches nothing runs also while a statement of the same cluster writes.
   */
  readonly data: 'none' | 'read' | 'write';
  /** On other members it is unknown. */
  readonly knownOn: 'everywhere' | 'routers' | 'sharded clusters';
  readonly database: 'any' | 'admin';
  /** Which members run it: each of them, the primary and whatever else the caller's read preference allows, or it alone. */
  readonly members: 'any' | 'preferred' | 'primary';
  readonly transaction: TransactionRole;
  /** Takes a transaction number outside of transactions: what it did is kept, so that it can be sent again. */
  readonly retryable: boolean;
  readonly readConcern: ReadConcernSupport;
  readonly writeConcern: boolean;
  /** Part of the stable API, version 1. */
  readonly stableApi: boolean;
  /** Its fields that are not. */
  readonly unstableFields: readonly string[];
  /** Entries of the oplog may hold it: `applyOps` runs it. */
  readonly inOplog: boolean;
  /** What the audit stream tells of it. */
  readonly audit: Audited | 'nothing';
  /** Arguments that neither logs nor the audit stream show. */
  readonly secrets: readonly string[];
}

/** `statement`: the first or any other one; `prepare`: known, and refused, since no shard needs it here. */
type TransactionRole = 'never' | 'statement' | 'later statement' | 'commit' | 'abort' | 'prepare';

/** `newest`: every level but `snapshot`. `of cursor`: what a cursor reads was said when it was opened. */
type ReadConcernSupport = 'local' | 'newest' | 'snapshot' | 'of cursor';

export function endsTransaction({ transaction }: Pick<CommandFacts, 'transaction'>): boolean {
  return transaction === 'commit' || transaction === 'abort' || transaction === 'prepare';
}
