import { hashSecret, newToken } from '../../access/index.ts';
import { system } from '../../events/index.ts';
import { type ReadTx, settings, type Tx } from '../../store/index.ts';
import {
  findUser,
  findUserNamed,
  hashPassword,
  insertUser,
  makeOrganizationOwner,
  noContact,
  updateLastAuth,
} from '../accounts/index.ts';
import { findOrganization } from '../organizations/index.ts';
import type { Services } from '../services.ts';
import { sessionFaults } from './faults.ts';
import { findCodes } from './one-time-codes/rows.ts';
import type { CheckedUser } from './passwords.ts';
import { hasLink, insertLink, insertSession, type SessionRow, sessionByToken, takeLink } from './rows.ts';
import { isOver, LINK_MS, LINK_PREFIX, SESSION_PREFIX } from './rules.ts';

/** Name of the setting that contains the id of the user that login links log in. Absent until this user is created. */
const OWNER = 'console-owner';
/** Name of the setting that contains the id of the organization that the user of login links owns. */
const ORGANIZATION = 'console-organization';

/** Stores which organization the user of login links owns. */
export async function setOwnedOrganization(tx: Tx, orgId: string): Promise<void> {
  if ((await settings.read(tx, ORGANIZATION)) !== orgId) await settings.write(tx, ORGANIZATION, orgId);
}

/**
 * A link for a single login. The session of this login has the rights of the owner of the organization and of the
 * operator.
 */
export interface LoginLink {
  readonly url: string;
  /** Time at which the link expires, in machine time. */
  readonly expires: number;
}

export async function createLink(tx: Tx, { random, machine, publicUrl }: Services): Promise<LoginLink> {
  const token = newToken(random, LINK_PREFIX);
  const expires = machine.now() + LINK_MS;
  await insertLink(tx, hashSecret(token), expires);
  return { url: `${publicUrl}/console/login?token=${token}`, expires };
}

/** Returns the user of a valid link, and makes the link invalid. Returns undefined for an invalid link. */
export async function redeemLink(services: Services, token: string): Promise<string | undefined> {
  const { store, machine, random } = services;
  // Read before writing, since anyone can send tokens, and rejecting an invalid token must be cheap.
  if (!(await store.read((tx) => hasLink(tx, hashSecret(token))))) return undefined;
  // The password of this user is random, and nobody learns it. Compute its hash outside of the transaction, since this
  // takes tens of milliseconds.
  const passwordHash = await hashPassword(random, newToken(random, LINK_PREFIX), OWNER);
  return store.write(async (tx) => {
    const expires = await takeLink(tx, hashSecret(token));
    if (expires === undefined || expires <= machine.now()) return undefined;
    const known = await settings.read<string>(tx, OWNER);
    return known !== undefined && (await findUser(tx, known)) ? known : createOwner(tx, passwordHash);
  });
}

/**
 * Creates the user of login links at the first login with a link. Lists of users thus stay empty for operators who do
 * not use the console.
 */
async function createOwner(tx: Tx, passwordHash: string): Promise<string> {
  const userId = tx.id();
  await insertUser(tx, {
    id: userId,
    username: await ownerName(tx, userId),
    passwordHash,
    firstName: 'Console',
    lastName: 'Owner',
    ...noContact,
    created: tx.now,
  });
  const orgId = await settings.read<string>(tx, ORGANIZATION);
  if (orgId !== undefined && (await findOrganization(tx, orgId)))
    await makeOrganizationOwner(tx, { orgId, userId, actor: system });
  await settings.write(tx, OWNER, userId);
  return userId;
}

/** Returns the user name for the owner `Console Owner`. It contains the id if the plain name is taken. */
async function ownerName(tx: ReadTx, userId: string): Promise<string> {
  const name = 'console-owner@portolan.invalid';
  return (await findUserNamed(tx, name)) === undefined ? name : `console-owner-${userId}@portolan.invalid`;
}

/** Who logs in, from which address, and with which browser. */
export interface Login
  extends Pick<SessionRow, 'address' | 'agent' | 'isOperator' | 'providerId' | 'userId'> {
  /** The user whose password was checked; undefined if the login needed no password. */
  readonly checked?: CheckedUser | undefined;
}

/** Maximum length of a browser's name that is stored. */
const MAX_AGENT_LENGTH = 256;

/** Creates a session. Returns its token, of which only a hash is stored. */
export async function openSession(services: Services, { checked, ...login }: Login): Promise<string> {
  const { store, machine, random } = services;
  const token = newToken(random, SESSION_PREFIX);
  const now = machine.now();
  const agent = login.agent.slice(0, MAX_AGENT_LENGTH);
  await store.write(async (tx) => {
    if (checked !== undefined) await requireUnchanged(tx, checked);
    await insertSession(tx, { ...login, agent, id: tx.id(), created: now, used: now }, hashSecret(token));
    await updateLastAuth(tx, login.userId, tx.now);
  });
  return token;
}

/**
 * Throws if the password was replaced, or one-time codes were turned on, after the password was checked. Each
 * of these changes ends all sessions of the user, so no session may begin afterwards with the former
 * password.
 */
async function requireUnchanged(tx: ReadTx, { id, passwordHash, usedCode }: CheckedUser): Promise<void> {
  if ((await findUser(tx, id))?.passwordHash !== passwordHash) throw sessionFaults.INVALID_LOGIN();
  if (!usedCode && (await findCodes(tx, id))?.isConfirmed) throw sessionFaults.CODE_REQUIRED();
}

/** Returns the session with this token; undefined if there is no such session, or if it has ended. */
export async function findSession(
  tx: ReadTx,
  { machine }: Services,
  token: string,
): Promise<SessionRow | undefined> {
  const row = await sessionByToken(tx, hashSecret(token));
  return row === undefined || isOver(row, machine.now()) ? undefined : row;
}
