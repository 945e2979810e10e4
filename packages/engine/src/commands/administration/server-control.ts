import { toBigInt, toInteger } from '../../bson/numbers/convert.ts';
import type { Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import { audited } from '../../observe/audited.ts';
import type { Command } from '../context/command.ts';
import { command } from '../shared/define.ts';
import { byType, converted, listOf, notNull, required, words } from '../shared/field-builders.ts';
import { wrongType } from '../shared/fields.ts';
import { inspecting } from '../shared/presets.ts';

/** This file contains commands on the server process: log files, certificates and connections. */

const logNames = words(
  ['server', 'audit'],
  (name) => new ServerError('NoSuchKey', `Unknown log type '${name}' for logRotate command`),
);

/** The log to rotate. Numbers and booleans mean the log of the server. Null is an error. */
const rotatedLog = notNull(
  byType(
    { bool: (): 'server' => 'server', number: (): 'server' => 'server', string: logNames.read },
    (value, name, within) =>
      wrongType(value, `${within}.${name}`, ['bool', 'int', 'double', 'long', 'decimal', 'string']),
  ),
);

const logRotate = command({
  name: 'logRotate',
  ...inspecting,
  database: 'admin',
  audit: audited('rotateLog', () => ({ pid: process.pid, osInfo: {} })),
  privileges: () => [{ action: 'logRotate' }],
  fields: { logRotate: required(rotatedLog) },
  run({ logRotate: log }, { caller }, { observer }) {
    if (log === 'audit' && !observer?.auditing) {
      throw new ServerError(
        'NoSuchKey',
        "Unknown log type 'audit' for logRotate command: auditing is not enabled",
      );
    }
    observer?.rotate(caller.member, log);
    return {};
  },
});

const rotateCertificates = command({
  name: 'rotateCertificates',
  ...inspecting,
  database: 'admin',
  privileges: () => [{ action: 'rotateCertificates' }],
  fields: { rotateCertificates: 'any', message: 'string' },
  // Has no effect. When the operator renews certificates, new connections use them without this command.
  run: () => ({}),
});

const hosts = listOf(converted('string', readHost), { skipsNull: true });

const dropConnections = command({
  name: 'dropConnections',
  ...inspecting,
  database: 'admin',
  privileges: () => [{ action: 'dropConnections' }],
  fields: { dropConnections: 'any', hostAndPort: required(hosts) },
  // Has no effect, because members have no outgoing connections.
  run: () => ({}),
});

/** Validates a host with an optional port. A host that contains colons must be in brackets. */
function readHost(text: string): string {
  const [, host = '', port] = /^(\[[^\]]*\]|[^:]*)(?::(.*))?$/s.exec(text) ?? [];
  if (host === '') throw unparsed(`Empty host component parsing HostAndPort from "${text}"`);
  if (port === undefined) return text;
  const number = /^\d{1,5}$/.test(port) ? Number(port) : 0;
  if (number < 1 || number > 65_535) {
    throw unparsed(`Port number "${port}" out of range parsing HostAndPort from "${text}"`);
  }
  return text;
}

function unparsed(message: string): ServerError {
  return new ServerError('FailedToParse', message);
}

const shutdown = command({
  name: 'shutdown',
  ...inspecting,
  database: 'admin',
  privileges: () => [{ action: 'shutdown' }],
  fields: { shutdown: 'any', force: 'truth', timeoutSecs: 'int', comment: 'any' },
  run() {
    throw new ServerError('Unauthorized', 'shutdown must run from localhost when running db without auth');
  },
});

/** The greatest value for which the number of bytes is below 2^63. */
const MAX_MEGABYTES = 2n ** 43n - 1n;

/** The default of `freeSpaceTargetMB`. */
const COMPACT_MEGABYTES = 20n;

/** Rounds decimals half to even and truncates other numbers. */
function roundedToBigInt(value: Value): bigint {
  const rounded = toInteger(value);
  return Number.isSafeInteger(rounded) ? BigInt(rounded) : toBigInt(value);
}

/** A positive number of megabytes. */
const megabytes = byType({
  number(value) {
    const rounded = roundedToBigInt(value);
    if (rounded >= 1n) return rounded;
    throw tooSmall(rounded);
  },
});

function tooSmall(target: bigint): ServerError {
  return new ServerError(
    'BadValue',
    `BSON field 'freeSpaceTargetMB' value must be >= 1, actual value '${target}'`,
  );
}

const autoCompact = command({
  name: 'autoCompact',
  ...inspecting,
  database: 'admin',
  privileges: () => [{ action: 'compact' }],
  fields: { autoCompact: 'bool!', freeSpaceTargetMB: megabytes, runOnce: 'bool' },
  run({ autoCompact: on, freeSpaceTargetMB = COMPACT_MEGABYTES, runOnce = false }, _request, { parameters }) {
    // The server computes the number of bytes as an int64, and rejects a value for which this overflows.
    if (on && freeSpaceTargetMB > MAX_MEGABYTES) throw tooSmall(freeSpaceTargetMB);
    // A single run has nothing to do, because the engine frees space continuously.
    if (
      on &&
      parameters.compacting !== undefined &&
      (runOnce || parameters.compacting !== freeSpaceTargetMB)
    ) {
      throw new ServerError(
        'AlreadyInitialized',
        'background compaction is already running with another configuration',
      );
    }
    parameters.compacting = on && !runOnce ? freeSpaceTargetMB : undefined;
    return {};
  },
});

const logApplicationMessage = command({
  name: 'logApplicationMessage',
  ...inspecting,
  database: 'admin',
  privileges: () => [{ action: 'applicationMessage' }],
  fields: { logApplicationMessage: 'string!' },
  run({ logApplicationMessage: message }, { caller }, { observer }) {
    if (observer === undefined || !observer.auditing) {
      throw new ServerError('CommandNotFound', "no such command: 'logApplicationMessage'");
    }
    observer.audit({ atype: 'applicationMessage', caller, param: { msg: message }, result: 0 });
    return {};
  },
});

export const serverControlCommands: readonly Command[] = [
  logRotate,
  rotateCertificates,
  dropConnections,
  shutdown,
  autoCompact,
  logApplicationMessage,
];
