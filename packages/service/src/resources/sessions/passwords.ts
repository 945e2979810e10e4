import { BoundedCache } from '@portolan/foundation/bounded-cache';
import { FairQueue } from '@portolan/foundation/fair-queue';
import { networkOf, tooManyAttempts, WrongCredentials } from '../../access/index.ts';
import type { MountRequest } from '../../api/index.ts';
import { findUserNamed, hashPassword, isPassword, type UserRow } from '../accounts/index.ts';
import type { Services } from '../services.ts';
import { sessionFaults } from './faults.ts';
import { useCode } from './one-time-codes/changes.ts';
import { findCodes } from './one-time-codes/rows.ts';

/**
 * Maximum number of waiting checks for one network, and for all networks together. Further logins are rejected, and can
 * be retried after a second.
 */
export const MAX_WAITING = 8;
const MAX_WAITING_IN_ALL = 512;

/** Takes the place of the address in counts that do not depend on the address. */
const ANY_ADDRESS = '';

type Asker = Pick<MountRequest, 'address' | 'path'>;

interface Attempt {
  readonly username: string;
  readonly password: string;
  /** A one-time code, or a recovery code. */
  readonly code?: string | undefined;
}

/** A user whose password was checked. */
export interface CheckedUser extends UserRow {
  /** Whether the user has one-time codes, and used one. */
  readonly usedCode: boolean;
}

/** Errors that count as wrong credentials. */
const wrong: ReadonlySet<string> = new Set(['INVALID_CODE', 'INVALID_LOGIN']);

/**
 * Checks passwords one after another. A check takes tens of milliseconds of CPU time and 19 MiB of memory, and anyone
 * can request a check. Networks take turns, so that nobody can keep others from logging in by requesting many checks.
 */
export class PasswordChecks {
  readonly #services: Services;
  readonly #wrong: WrongCredentials;
  readonly #queue = new FairQueue<string>();

  constructor(services: Services) {
    this.#services = services;
    this.#wrong = new WrongCredentials(services.store, services.machine);
  }

  /**
   * Returns the user. Throws `INVALID_LOGIN`, `CODE_REQUIRED` or `INVALID_CODE`, or `RATE_LIMITED` after too many
   * wrong passwords and codes.
   */
  check(asker: Asker, { username, password, code }: Attempt): Promise<CheckedUser> {
    return this.counted(asker, username, async () => {
      const user = await this.#personWith(username, password);
      return { ...user, usedCode: await this.#checkCode(asker, user, code) };
    });
  }

  /** Like `check`, without a one-time code. */
  checkPassword(asker: Asker, username: string, password: string): Promise<UserRow> {
    return this.counted(asker, username, () => this.#personWith(username, password));
  }

  /**
   * Runs a check. Throws `RATE_LIMITED` if too many checks wait, or if too many for this user name and
   * network have failed.
   */
  async counted<T>({ path, address }: Asker, username: string, check: () => Promise<T>): Promise<T> {
    // User names ignore case. If counts distinguished case, each spelling of a name would allow further
    // attempts.
    const name = username.toLowerCase();
    const network = networkOf(address);
    if (this.#queue.sizeOf(network) >= MAX_WAITING || this.#queue.size >= MAX_WAITING_IN_ALL)
      throw tooManyAttempts({ target: path }, 1);
    return this.#queue.run(network, async () => {
      const wait = this.#wrong.waitFor(name, address);
      if (wait > 0) throw tooManyAttempts({ target: path }, wait);
      try {
        return await check();
      } catch (error) {
        if (wrong.has((error as { readonly code?: string }).code ?? ''))
          await this.#wrong.count(name, address);
        throw error;
      }
    });
  }

  async #personWith(username: string, password: string): Promise<UserRow> {
    const user = await personWithPassword(this.#services, username, password);
    if (user === undefined) throw sessionFaults.INVALID_LOGIN();
    return user;
  }

  /**
   * Returns whether the user has codes. Counts wrong codes of a user from all addresses together. Only somebody with
   * the password can enter codes, and a code is short enough to be guessed from many addresses.
   */
  async #checkCode({ path }: Asker, { id }: UserRow, code: string | undefined): Promise<boolean> {
    const { store } = this.#services;
    const row = await store.read((tx) => findCodes(tx, id));
    if (!row?.isConfirmed) return false;
    if (code === undefined) throw sessionFaults.CODE_REQUIRED();
    const wait = this.#wrong.waitFor(id, ANY_ADDRESS);
    if (wait > 0) throw tooManyAttempts({ target: path }, wait);
    if (await store.write((tx) => useCode(tx, this.#services, id, code))) return true;
    await this.#wrong.count(id, ANY_ADDRESS);
    throw sessionFaults.INVALID_CODE();
  }
}

/** A longer password counts as wrong, since hashing time grows with the length. */
const MAX_PASSWORD_LENGTH = 1024;

const absentHashes = new BoundedCache<'absent', Promise<string>>({ entries: 1 });

/**
 * Returns the user with this name and password. If the name is unknown, the check takes as long as for a wrong
 * password.
 */
async function personWithPassword(
  services: Services,
  username: string,
  password: string,
): Promise<UserRow | undefined> {
  if (password.length > MAX_PASSWORD_LENGTH) return undefined;
  const user = await services.store.read((tx) => findUserNamed(tx, username));
  const hash = user?.passwordHash ?? (await absentHash(services));
  return (await isPassword(password, hash)) ? user : undefined;
}

/** Returns a hash that matches no password. */
function absentHash({ random }: Services): Promise<string> {
  const known = absentHashes.get('absent') ?? hashPassword(random, random.uuid(), 'absent');
  absentHashes.set('absent', known);
  return known;
}
