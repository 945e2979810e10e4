import { EngineError, EngineUnavailable, fromExtendedJson, RawDocument } from '@portolan/engine/management';
import { poll } from '@portolan/foundation/wait';
import { BSONError, type Document, Long } from 'bson';
import { badValue, unavailable } from '../../api/faults.ts';
import { LargeReply } from '../../api/operation.ts';
import { NotYet } from '../../tasks/index.ts';
import { assertCan, type ClusterModel } from '../clusters/index.ts';
import type { Services } from '../services.ts';
import { bounded } from './bounds.ts';
import { commandFaults } from './faults.ts';
import { shown } from './reply.ts';
import { failed, MAX_SECONDS, requireRunnable } from './rules.ts';
import type { CommandReply, DatabaseCommand } from './schema.ts';

/** How much longer than its time limit a command may take. */
const GRACE_MS = 5_000;

const STEP_MS = 100;

type User = Parameters<ReturnType<Services['engines']['at']>['runAs']>[1];

/** Runs a command with the rights of a user. Documents, bytes and time are limited. */
export async function runCommand(
  services: Services,
  cluster: ClusterModel,
  user: User,
  { database, command: json }: DatabaseCommand,
): Promise<LargeReply<CommandReply>> {
  assertCan(cluster, 'commands');
  const given = readCommand(json);
  const name = requireRunnable(given);
  const command = bounded(name, given, database);
  const run = (one: Document) => answerOf(services, cluster, user, one);
  const reply = await run(command);
  if (reply.int('ok') !== 1) throw failed(reply);
  const hasMore = await closeCursor(reply, database, run);
  return new LargeReply(reply.length, () => shown(name, reply, hasMore));
}

function readCommand(json: Document): Document {
  try {
    return fromExtendedJson(json);
  } catch (error) {
    throw unreadable(error as Error);
  }
}

function unreadable({ message }: Error) {
  return badValue('command', `is not valid Extended JSON: ${message}`);
}

async function answerOf(
  { engines, machine }: Services,
  { host, id, name }: ClusterModel,
  user: User,
  command: Document,
): Promise<RawDocument> {
  const limit = Math.min(Number(command.maxTimeMS) || 0, MAX_SECONDS * 1000) + GRACE_MS;
  let cancel = () => {};
  const late = new Promise<never>((_, reject) => {
    const fault = commandFaults.DATABASE_NOT_RESPONDING(name, limit / 1000);
    cancel = machine.after(limit, () => reject(fault));
  });
  try {
    const engine = await reached(engines, machine, host);
    return new RawDocument(await Promise.race([engine.runAs(id, user, command), late]));
  } catch (error) {
    if (error instanceof EngineError) throw commandFaults.DATABASE_NOT_AVAILABLE(name, error.message);
    if (error instanceof EngineUnavailable || error instanceof NotYet) throw unavailable(error.message);
    // A command from JSON can contain a field called `_bsontype`, which BSON does not allow.
    if (BSONError.isBSONError(error)) throw unreadable(error);
    throw error;
  } finally {
    cancel();
  }
}

/**
 * Returns the engine of a host. An instance that has just started needs a second or two until it finds the hosts of
 * other instances.
 */
async function reached(engines: Services['engines'], machine: Services['machine'], host: string) {
  const found = await poll(machine, { step: STEP_MS, limit: GRACE_MS }, () => {
    try {
      return engines.at(host);
    } catch (error) {
      if (error instanceof NotYet) return undefined;
      throw error;
    }
  });
  return found ?? engines.at(host);
}

/**
 * Closes the cursor of a reply. Returns whether the cursor had more documents. Ignores errors, so that the
 * caller gets the reply even if the database does not close the cursor now. The database closes an unused
 * cursor later by itself.
 */
async function closeCursor(
  reply: RawDocument,
  database: string,
  run: (command: Document) => Promise<unknown>,
): Promise<boolean> {
  const cursor = reply.document('cursor');
  const id = cursor?.long('id') ?? 0n;
  if (id === 0n) return false;
  const collection = cursor?.string('ns')?.slice(database.length + 1);
  const kill = {
    killCursors: collection,
    cursors: [Long.fromBigInt(id)],
    maxTimeMS: GRACE_MS,
    $db: database,
  };
  await run(kill).catch(() => {});
  return true;
}
