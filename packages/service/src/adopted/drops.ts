import { ownDatabases } from '@portolan/engine/interface/namespaces';
import type { Random } from '@portolan/foundation/random';
import type { Document, MongoClient } from 'mongodb';
import { isMissing, refusalIn } from './accounts/index.ts';
import { type AdoptedConnection, runOn, writerOf } from './connection.ts';
import { reasonOf } from './reasons.ts';

/** The right of an instance to drop the databases of a deployment. */
export interface DropPermit {
  /** A random text that identifies the drop. */
  readonly owner: string;
  /** Extends the permit. Throws if it has expired, or if another instance has ended the drop. */
  renew(): Promise<void>;
}

/** The names of users that exist only during a drop. */
const PREFIX = 'portolan-drop-';

/**
 * Drops all databases of a deployment except those of the servers themselves. Throws the reason if this fails.
 * The instance may be suspended after it has renewed its permit, and continue after another instance has ended the
 * drop. The databases are therefore dropped as a user that exists only for this drop. To end the drop, another instance
 * deletes this user, and the servers then reject further commands (`revokeDrops`).
 */
export async function dropDatabases(
  connection: AdoptedConnection,
  permit: DropPermit,
  random: Random,
): Promise<void> {
  const owner = await writerOf(connection, 'writes');
  let dropper: MongoClient | undefined;
  try {
    await deleteDroppers(owner);
    const { databases } = await owner.db().admin().listDatabases({ nameOnly: true });
    dropper = await newDropper(connection, owner, { name: `${PREFIX}${permit.owner}`, random });
    for (const { name } of databases) {
      if (ownDatabases.has(name)) continue;
      await permit.renew();
      await (dropper ?? owner).db(name).dropDatabase();
    }
    await deleteDroppers(owner);
  } catch (error) {
    throw new Error(reasonOf(error));
  } finally {
    await dropper?.close();
    await owner.close();
  }
}

/**
 * Ends all drops of a deployment: after this, the servers reject the commands of instances that have begun one. Routers
 * keep the roles of users in memory, so they may accept such commands for about 30 seconds. Throws the reason if the
 * servers do not respond. Has no effect on servers without user management or without access control.
 */
export async function revokeDrops(connection: AdoptedConnection): Promise<void> {
  const client = await writerOf(connection, 'writes');
  try {
    await deleteDroppers(client);
  } catch (error) {
    throw new Error(reasonOf(error));
  } finally {
    await client.close();
  }
}

/**
 * Creates a user that may drop databases, and returns a client of this user. Returns undefined if the service
 * connects without credentials, or if the servers do not let the service create users.
 */
async function newDropper(
  connection: AdoptedConnection,
  client: MongoClient,
  { name, random }: { readonly name: string; readonly random: Random },
): Promise<MongoClient | undefined> {
  if (client.options.credentials === undefined) return undefined;
  const password = random.bytes(24).toString('base64url');
  const roles = [{ role: 'dbAdminAnyDatabase', db: 'admin' }];
  const created = await unlessRefused(() => runOn(client, { createUser: name, pwd: password, roles }));
  return created && writerOf(connection, 'writes', { username: name, password });
}

async function deleteDroppers(client: MongoClient): Promise<void> {
  const found = await unlessRefused(() => runOn(client, { usersInfo: 1 }));
  for (const { user } of (found?.users ?? []) as Document[])
    if (String(user).startsWith(PREFIX)) await unlessMissing(() => runOn(client, { dropUser: user }));
}

/** Sends a command. Returns undefined if the servers refuse or do not know it. Throws if they may accept it later. */
async function unlessRefused(send: () => Promise<Document>): Promise<Document | undefined> {
  try {
    return await send();
  } catch (error) {
    if (refusalIn(error) !== undefined) return undefined;
    throw error;
  }
}

/** Runs a command that drops a user. Another instance may drop the user at the same time. */
async function unlessMissing(drop: () => Promise<Document>): Promise<void> {
  try {
    await drop();
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}
