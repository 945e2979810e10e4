/** Names a user or a role of a deployment. */
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

/** The records of the accounts of deployments. */
export interface AccountBook {
  of(deploymentId: string): Promise<readonly AccountRecord[]>;
  /**
   * Stores a record, and returns it. If the stored and the new record have the state `MAKING`, keeps the stored mark.
   */
  save(deploymentId: string, record: AccountRecord): Promise<AccountRecord>;
  remove(deploymentId: string, account: AccountName): Promise<void>;
}

/** Returns a text that identifies an account; `nameIn` returns its name. */
export function keyOf({ kind, database, name }: AccountName): string {
  return JSON.stringify([kind, database, name]);
}

export function nameIn(key: string): string {
  return String(JSON.parse(key).at(-1));
}
