import type { AccessSpec } from '@portolan/engine/interface/engine';
import type { Random } from '@portolan/foundation/random';
import type { Document, MongoClient } from 'mongodb';
import {
  type AccountBook,
  type AccountName,
  type AccountRecord,
  type AccountRun,
  keyOf,
  nameIn,
} from './book.ts';
import { isMissing, isTaken, refusalIn } from './refusals.ts';
import { changeAccount, createAccount, dropAccount, findAccounts, hasContents, isOwn } from './server.ts';
import { type WantedAccount, wantedAccounts } from './wanted.ts';

const MARK_BYTES = 16;
const words = { ROLE: 'role', USER: 'user' } as const;

export interface AccountParts {
  readonly deploymentId: string;
  readonly client: MongoClient;
  readonly book: AccountBook;
  readonly random: Random;
}

/**
 * Creates, changes and drops accounts on a deployment, so that they match the accounts that a project wants. Accounts
 * that the service has not created stay unchanged. If a server refuses one account, records the reason and continues
 * with the others. Rejects if the servers do not respond, or if a newer revision is being applied. The call may be
 * repeated.
 */
export async function applyAccounts(parts: AccountParts, access: AccessSpec): Promise<void> {
  const { client, book, deploymentId } = parts;
  const wanted = wantedAccounts(access);
  const run = { deploymentId, revision: access.revision };
  const records = await book.begin(run);
  const found = await findAccounts(client, [...wanted, ...records]);
  const changes = new AccountChanges({ ...parts, run }, records, found);
  const keys = new Set(wanted.map(keyOf));
  const unwanted = (kind: AccountName['kind']) =>
    records.filter((record) => record.kind === kind && !keys.has(keyOf(record)));
  for (const record of unwanted('USER')) await changes.drop(record);
  for (const account of wanted) await changes.bring(account);
  for (const record of unwanted('ROLE')) await changes.drop(record);
}

type ChangeParts = Pick<AccountParts, 'book' | 'client' | 'random'> & { readonly run: AccountRun };

/** Applies the changes of the accounts of one deployment. */
class AccountChanges {
  readonly #parts: ChangeParts;
  readonly #records: ReadonlyMap<string, AccountRecord>;
  readonly #found: ReadonlyMap<string, Document>;
  /** Keys of wanted accounts that the servers lack. */
  readonly #lacking = new Set<string>();

  constructor(parts: ChangeParts, records: readonly AccountRecord[], found: ReadonlyMap<string, Document>) {
    this.#parts = parts;
    this.#records = new Map(records.map((record) => [keyOf(record), record]));
    this.#found = found;
  }

  /** Creates or changes an account, or records why it is not possible. */
  async bring(account: WantedAccount): Promise<void> {
    const record = this.#records.get(keyOf(account));
    const found = this.#found.get(keyOf(account));
    if (found !== undefined && !isOwn(found, record)) {
      const problem = `another client has created a ${words[account.kind]} with this name, or has replaced it`;
      return this.#refuse(account, undefined, problem);
    }
    const problem = this.#problemOf(account, found === undefined);
    if (problem !== undefined) return this.#refuse(account, record, problem);
    if (found === undefined) return this.#create(account);
    if (record !== undefined && !isCurrent(account, record, found)) await this.#change(account, record);
  }

  /** Drops an account if the service has created it, and deletes its record. */
  async drop(record: AccountRecord): Promise<void> {
    const { client, book, run } = this.#parts;
    const found = this.#found.get(keyOf(record));
    if (found !== undefined && isOwn(found, record)) {
      // Throws if a newer revision is being applied.
      await book.save(run, record);
      try {
        await dropAccount(client, record);
      } catch (error) {
        const refusal = refusalIn(error);
        if (refusal === undefined) throw error;
        if (!isMissing(error)) {
          await book.save(run, { ...record, problem: `it was not dropped: ${refusal}` });
          return;
        }
      }
    }
    await book.remove(run, record);
  }

  #problemOf({ problem, needs, obstacle }: WantedAccount, isNew: boolean): string | undefined {
    if (problem !== undefined) return problem;
    const lacking = needs.find((key) => this.#lacking.has(key));
    if (lacking !== undefined) return `the role ${nameIn(lacking)} is missing`;
    return isNew ? obstacle : undefined;
  }

  async #create(account: WantedAccount): Promise<void> {
    const { client, book, run, random } = this.#parts;
    const { kind, database, name } = account;
    const mark = random.bytes(MARK_BYTES).toString('hex');
    const making = { kind, database, name, state: 'MAKING', mark, digest: '' } as const;
    const record = await book.save(run, making);
    try {
      await createAccount(client, account, record.mark);
    } catch (error) {
      const refusal = refusalIn(error);
      if (refusal === undefined) throw error;
      if (!isTaken(error)) return this.#refuse(account, { ...record, state: 'NONE' }, refusal);
      if (await this.#isOwnNow(account, record)) return this.#change(account, record);
      return this.#refuse(account, record, refusal);
    }
    await this.#made(account, record.mark);
  }

  /** Whether the account exists now because another instance of the service has created it. */
  async #isOwnNow(account: WantedAccount, record: AccountRecord): Promise<boolean> {
    const [found] = (await findAccounts(this.#parts.client, [account])).values();
    return found !== undefined && isOwn(found, record);
  }

  async #change(account: WantedAccount, record: AccountRecord): Promise<void> {
    const { client, book, run } = this.#parts;
    // If the service ends during the command, its next start does not know what the account contains. An
    // empty digest makes the next run set the account again.
    await book.save(run, { ...record, digest: '' });
    try {
      await changeAccount(client, account, record.mark);
    } catch (error) {
      const refusal = refusalIn(error);
      if (refusal === undefined) throw error;
      return this.#refuse(account, record, refusal);
    }
    await this.#made(account, record.mark);
  }

  async #made(account: WantedAccount, mark: string): Promise<void> {
    const { book, run } = this.#parts;
    const { kind, database, name, digest, obstacle: problem } = account;
    const made = { kind, database, name, state: 'MADE', mark, digest } as const;
    await book.save(run, problem === undefined ? made : { ...made, problem });
  }

  async #refuse(account: WantedAccount, record: AccountRecord | undefined, problem: string): Promise<void> {
    const { book, run } = this.#parts;
    const { kind, database, name } = account;
    const { state = 'NONE', mark = '', digest = '' } = record ?? {};
    if (this.#found.get(keyOf(account)) === undefined || state === 'NONE') this.#lacking.add(keyOf(account));
    await book.save(run, { kind, database, name, state, mark, digest, problem });
  }
}

/** Whether an account on the servers is as the project wants it, also if another client has changed it. */
function isCurrent(account: WantedAccount, record: AccountRecord, found: Document): boolean {
  const { state, digest, problem, mark } = record;
  const isApplied = state === 'MADE' && digest === account.digest && problem === undefined;
  return isApplied && hasContents(found, account, mark);
}
