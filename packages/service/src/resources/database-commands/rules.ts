import type { ActingUser, RawDocument } from '@portolan/engine/management';
import { clipped } from '@portolan/foundation/clipped';
import type { Document } from 'bson';
import type { RolePhrase } from '../../access/index.ts';
import { badValue } from '../../api/faults.ts';
import { commandFaults } from './faults.ts';

export const MAX_DOCUMENTS = 1000;
export const MAX_REPLY_BYTES = 4 * 1024 * 1024;
export const MAX_SECONDS = 30;

/** Commands that `explain` supports. An explained command does not write. */
const explainable: ReadonlySet<string> = new Set([
  'aggregate',
  'count',
  'delete',
  'distinct',
  'find',
  'update',
]);

/** Commands that never write. `aggregate` is not one of them, because of `$out` and `$merge`. */
const reading: ReadonlySet<string> = new Set([
  'collStats',
  'count',
  'dbStats',
  'distinct',
  'explain',
  'find',
  'listCollections',
  'listDatabases',
  'listIndexes',
]);

/** All commands that callers can run. */
export const runnable: ReadonlySet<string> = new Set([
  ...explainable,
  ...reading,
  'createIndexes',
  'dropIndexes',
  'insert',
]);

/** Whether a command never writes. */
export function onlyReads(command: Document): boolean {
  const [name = ''] = Object.keys(command);
  return reading.has(name);
}

/**
 * Arguments that callers must not set. `lsid`, `autocommit`, `startTransaction` and `txnNumber` create sessions and
 * transactions, which would outlive the request. The service itself sets `$db`.
 */
const reserved = ['$db', 'autocommit', 'lsid', 'startTransaction', 'txnNumber'];

/**
 * Returns the name of a command. Throws if the operation does not accept the command. For `explain`, also throws if the
 * operation does not accept the command to explain.
 */
export function requireRunnable(command: Document): string {
  const [name] = Object.keys(command);
  if (name === undefined) throw badValue('command', 'must name a command');
  if (!runnable.has(name)) throw commandFaults.DATABASE_COMMAND_NOT_OFFERED(name);
  requireNoReserved(command);
  if (name === 'explain') {
    const explained: unknown = command.explain;
    if (typeof explained !== 'object' || explained === null)
      throw badValue('command.explain', 'must be a command', 'command');
    const [inner = ''] = Object.keys(explained);
    if (!explainable.has(inner)) throw commandFaults.DATABASE_COMMAND_NOT_OFFERED(`explain ${inner}`);
    requireNoReserved(explained);
  }
  return name;
}

function requireNoReserved(command: Document): void {
  const given = reserved.find((argument) => Object.hasOwn(command, argument));
  if (given !== undefined) throw badValue(`command.${given}`, 'cannot be set', 'command');
}

/** The database roles that correspond to each data access role, highest first (docs/console.md). */
const databaseRoles: ReadonlyArray<readonly [RolePhrase, readonly string[]]> = [
  ['Project Data Access Admin', ['readWriteAnyDatabase', 'dbAdminAnyDatabase']],
  ['Project Data Access Read Write', ['readWriteAnyDatabase']],
  ['Project Data Access Read Only', ['readAnyDatabase']],
];

export function databaseRolesOf(may: (phrase: RolePhrase) => boolean): ActingUser['roles'] {
  const [, roles = []] = databaseRoles.find(([phrase]) => may(phrase)) ?? [];
  return roles.map((role) => ({ role, database: 'admin' }));
}

/** Returns the fault for an error reply of a database. */
export function failed(reply: RawDocument) {
  const message = clipped(reply.string('errmsg') ?? '');
  return commandFaults
    .DATABASE_COMMAND_FAILED(reply.string('codeName') ?? 'Error', reply.int('code') ?? 0, message)
    .with({ stored: [message] });
}
