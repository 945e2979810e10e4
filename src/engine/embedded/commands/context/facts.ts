import type { Privilege } from '../../access/privilege.ts';
import type { CommandRequest } from './request.ts';

/** What is known of a command before it is run. */
export interface CommandFacts {
  readonly name: string;
  readonly aliases?: readonly string[];
  /** What the caller must be allowed to do; none of them: any logged-in user. `'open'`: also before log-in. */
  readonly privileges: 'open' | ((request: CommandRequest) => readonly Privilege[]);
  /** Where alone it is known: on routers, or on every member of a sharded cluster. */
  readonly on?: 'routers' | 'sharded';
  /** Only on the database `admin`. */
  readonly adminOnly?: boolean;
  /** True when it changes data: it runs inside the write transaction that a group of waiting commands shares. */
  readonly writes?: boolean;
  /** Takes a transaction number: what it did is kept, so that it can be sent again. */
  readonly retryable?: boolean;
  /** Ends the transaction that it is sent in. */
  readonly ends?: boolean;
  /** Takes a read concern other than `local`. */
  readonly readConcern?: boolean;
  /** Takes a write concern although it does not write. */
  readonly writeConcern?: boolean;
  /** Also on a member that is not primary, without a read preference that says so. */
  readonly anyMember?: boolean;
  /** Touches nothing that is stored: runs also while a statement of the same cluster writes. */
  readonly aside?: boolean;
}
