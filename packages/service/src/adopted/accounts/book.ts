/** Identifies a user or a role of a deployment. */
export interface AccountName {
  readonly kind: 'ROLE' | 'USER';
  /** The database in which the user or role is defined: `admin` or `$external`. */
  readonly database: string;
  readonly name: string;
}

/**
 * What the service has recorded about an account. Only the record proves that the service has created the account,
 * because other clients can change everything that the servers store.
 *
 * - `NONE`: the service has not created the account; `problem` says why;
 * - `MAKING`: the service may have created the account. This state is stored before the command that creates the
 *   account, because the service may end before it can store the result;
 * - `MADE`: the service has created the account.
 */
export interface AccountRecord extends AccountName {
  readonly state: 'MADE' | 'MAKING' | 'NONE';
  /** The random mark by which the service recognizes the account on the servers; see `isOwn`. */
  readonly mark: string;
  /** The digest of the fields that the service has set. */
  readonly digest: string;
  /** Why the user or role on the servers differs from the user or role in the project. */
  readonly problem?: string;
}

/** One run that applies the accounts of a project to a deployment. */
export interface AccountRun {
  readonly deploymentId: string;
  /** The revision of the project's accounts. */
  readonly revision: number;
}

/**
 * Thrown if accounts of a newer revision have been applied, or are being applied. The caller is then an instance that
 * was suspended and continues long after another instance has taken over its task.
 */
export class Outdated extends Error {
  constructor() {
    super('newer users and roles have been applied');
    this.name = 'Outdated';
  }
}

/**
 * The records of the accounts of deployments. The functions that take a run reject with `Outdated` if a newer run has
 * begun.
 */
export interface AccountBook {
  of(deploymentId: string): Promise<readonly AccountRecord[]>;
  /** Begins a run. From then on, runs of older revisions are outdated. Returns the records. */
  begin(run: AccountRun): Promise<readonly AccountRecord[]>;
  /** Merges a record with the stored record of the same account, stores the result and returns it. */
  save(run: AccountRun, record: AccountRecord): Promise<AccountRecord>;
  remove(run: AccountRun, record: AccountRecord): Promise<void>;
}

/**
 * Returns the record to store in place of `before`. Two instances may apply accounts at the same time, each with the
 * records that it read at its start. The merged record must still state that the other instance has created an
 * account.
 */
export function mergedRecord(before: AccountRecord | undefined, record: AccountRecord): AccountRecord {
  if (before === undefined || before.state === 'NONE') return record;
  const hasSameMark = record.mark === before.mark;
  if (hasSameMark && (record.state === 'MADE' || before.state !== 'MADE')) return record;
  // Keep the stored mark, since the account on the servers may already contain it. The instance that creates the
  // account uses the mark that this function returns.
  if (record.state === 'MAKING' && record.problem === undefined)
    return { ...record, state: before.state, mark: before.mark };
  return { ...before, ...(record.problem !== undefined && { problem: record.problem }) };
}

/**
 * Returns the record to store in place of `before` if an outdated run tries to store `record`. The empty digest makes
 * the next run compare the account again, since the outdated run may just have changed it.
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
