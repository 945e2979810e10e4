/** Identifies a user or a role of a deployment. */
export interface AccountName {
  readonly kind: 'ROLE' | 'USER';
  /** The database in which it is defined: `admin` or `$external`. */
  readonly database: string;
  readonly name: string;
}

/**
 * A record of the service about an account. It is the proof that the service has created the account; others can
 * change everything that the servers store.
 *
 * - `NONE`: the service has not created the account; `problem` says why;
 * - `MAKING`: the service may have created it. Stored before the command, since the service may end after it;
 * - `MADE`: the service has created it.
 */
export interface AccountRecord extends AccountName {
  readonly state: 'MADE' | 'MAKING' | 'NONE';
  /** The mark by which the service recognizes the account on the servers; see `isOwn`. */
  readonly mark: string;
  /** The digest of what the service has set. */
  readonly digest: string;
  /** Why the user or role on the servers differs from that in the project. */
  readonly problem?: string;
}

interface SavedAccount {
  readonly before: AccountRecord | undefined;
  readonly saved: AccountRecord;
}

/** The records of the accounts of deployments. */
export interface AccountBook {
  of(deploymentId: string): Promise<readonly AccountRecord[]>;
  /** Stores a record, merged with the one `before` it. */
  save(deploymentId: string, record: AccountRecord): Promise<SavedAccount>;
  remove(deploymentId: string, account: AccountName): Promise<void>;
}

/**
 * The record to store in place of `before`. Two instances may apply accounts at the same time, each from what it has
 * read: neither may forget that the other has created an account.
 */
export function mergedRecord(before: AccountRecord | undefined, record: AccountRecord): AccountRecord {
  if (before === undefined || before.state === 'NONE') return record;
  if (record.state === 'MAKING') {
    // The instance that creates the account sets the mark of the stored record.
    const marks = new Set([...before.mark.split(' '), ...record.mark.split(' ')]);
    const mark = record.kind === 'USER' ? before.mark : [...marks].join(' ');
    return { ...record, state: before.state, mark };
  }
  if (record.state === 'MADE' || record.mark === before.mark) return record;
  return { ...before, ...(record.problem !== undefined && { problem: record.problem }) };
}

/** Returns a text that identifies an account; `nameIn` returns its name. */
export function keyOf({ kind, database, name }: AccountName): string {
  return JSON.stringify([kind, database, name]);
}

export function nameIn(key: string): string {
  return String(JSON.parse(key).at(-1));
}
