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
  /** The random mark by which the service recognizes the account on the servers; see `isOwn`. */
  readonly mark: string;
  /** The digest of what the service has set. */
  readonly digest: string;
  /** Why the user or role on the servers differs from that in the project. */
  readonly problem?: string;
}

/** An application of the accounts of a project to a deployment. */
export interface AccountRun {
  readonly deploymentId: string;
  /** The revision of the accounts that it applies. */
  readonly revision: number;
}

/**
 * The error if accounts of a newer revision have been applied, or are being applied. An instance that was suspended
 * may continue long after its task was given to another one.
 */
export class Outdated extends Error {
  constructor() {
    super('newer users and roles have been applied');
    this.name = 'Outdated';
  }
}

/** The records of the accounts of deployments. The functions with a run reject with `Outdated`. */
export interface AccountBook {
  of(deploymentId: string): Promise<readonly AccountRecord[]>;
  /** Begins a run, after which those of older revisions are outdated. Returns the records. */
  begin(run: AccountRun): Promise<readonly AccountRecord[]>;
  /** Stores a record, merged with the one before it. Returns the stored record. */
  save(run: AccountRun, record: AccountRecord): Promise<AccountRecord>;
  remove(run: AccountRun, record: AccountRecord): Promise<void>;
}

/**
 * The record to store in place of `before`. Two instances may apply accounts at the same time, each from what it has
 * read: neither may forget that the other has created an account.
 */
export function mergedRecord(before: AccountRecord | undefined, record: AccountRecord): AccountRecord {
  if (before === undefined || before.state === 'NONE') return record;
  const hasSameMark = record.mark === before.mark;
  if (hasSameMark && (record.state === 'MADE' || before.state !== 'MADE')) return record;
  // The stored mark is that of the account on the servers. The instance that creates the account uses it.
  if (record.state === 'MAKING' && record.problem === undefined)
    return { ...record, state: before.state, mark: before.mark };
  return { ...before, ...(record.problem !== undefined && { problem: record.problem }) };
}

/**
 * The record to store in place of `before` if an outdated run wants to store `record`. The run may just have changed
 * the account, so that the account must be compared again.
 */
export function disturbedRecord(before: AccountRecord | undefined, record: AccountRecord): AccountRecord {
  return { ...(before ?? record), digest: '', problem: 'an older change was applied after a newer one' };
}

/** Returns a text that identifies an account; `nameIn` returns its name. */
export function keyOf({ kind, database, name }: AccountName): string {
  return JSON.stringify([kind, database, name]);
}

export function nameIn(key: string): string {
  return String(JSON.parse(key).at(-1));
}
