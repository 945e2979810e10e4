import { bsonTypes } from '../../bson/bson-types.ts';
import { toBigInt, toInteger } from '../../bson/numbers/convert.ts';
import { isNumber, textOf, type Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import { audited } from '../../observe/audited.ts';
import type { Command } from '../context/command.ts';
import { command } from '../shared/define.ts';
import { wrongType } from '../shared/fields.ts';
import { inspecting } from '../shared/presets.ts';

/** This file contains commands on the server process: log files, certificates and connections. */

const logRotate = command({
  name: 'logRotate',
  ...inspecting,
  database: 'admin',
  audit: audited('rotateLog', () => ({ pid: process.pid, osInfo: {} })),
  privileges: () => [{ action: 'logRotate' }],
  fields: { logRotate: 'value!' },
  run({ logRotate: requested }, { caller }, { observer }) {
    const named = requested.type === bsonTypes.string;
    if (!named && !isNumber(requested) && requested.type !== bsonTypes.bool) {
      throw wrongType(requested, 'logRotate.logRotate', [
        'bool',
        'int',
        'double',
        'long',
        'decimal',
        'string',
      ]);
    }
    if (named && textOf(requested) !== 'server' && textOf(requested) !== 'audit') {
      throw new ServerError('NoSuchKey', `Unknown log type '${textOf(requested)}' for logRotate command`);
    }
    if (named && textOf(requested) === 'audit' && !observer?.auditing) {
      throw new ServerError(
        'NoSuchKey',
        "Unknown log type 'audit' for logRotate command: auditing is not enabled",
      );
    }
    observer?.rotate(caller.member, named && textOf(requested) === 'audit' ? 'audit' : 'server');
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

const dropConnections = command({
  name: 'dropConnections',
  ...inspecting,
  database: 'admin',
  privileges: () => [{ action: 'dropConnections' }],
  fields: { dropConnections: 'any', hostAndPort: 'array!' },
  // Has no effect, because members have no outgoing connections.
  run({ hostAndPort }) {
    hostAndPort.forEach((host, i) => {
      if (host.type === bsonTypes.null) return;
      if (host.type !== bsonTypes.string)
        throw wrongType(host, `dropConnections.hostAndPort.${i}`, ['string']);
      checkHost(textOf(host));
    });
    return {};
  },
});

/** Validates a host with an optional port. A host that contains colons must be in brackets. */
function checkHost(text: string): void {
  const [, host = '', port] = /^(\[[^\]]*\]|[^:]*)(?::(.*))?$/s.exec(text) ?? [];
  if (host === '') throw unparsed(`Empty host component parsing HostAndPort from "${text}"`);
  if (port === undefined) return;
  const number = /^\d{1,5}$/.test(port) ? Number(port) : 0;
  if (number < 1 || number > 65_535) {
    throw unparsed(`Port number "${port}" out of range parsing HostAndPort from "${text}"`);
  }
}

function unparsed(message: string): ServerError {
  return new ServerError('FailedToParse', message);
}

const shutdown = command({
  name: 'shutdown',
  ...inspecting,
  database: 'admin',
  privileges: () => [{ action: 'shutdown' }],
  fields: { shutdown: 'any', force: 'truth', timeoutSecs: 'number', comment: 'any' },
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

const autoCompact = command({
  name: 'autoCompact',
  ...inspecting,
  database: 'admin',
  privileges: () => [{ action: 'compact' }],
  fields: { autoCompact: 'bool!', freeSpaceTargetMB: 'number', runOnce: 'bool' },
  run({ autoCompact: on, freeSpaceTargetMB: target, runOnce = false }, _request, { parameters }) {
    const megabytes = target === undefined ? COMPACT_MEGABYTES : roundedToBigInt(target);
    // The server computes the number of bytes as an int64, and rejects a value for which this overflows.
    if (megabytes < 1n || (on && megabytes > MAX_MEGABYTES)) {
      throw new ServerError(
        'BadValue',
        `BSON field 'freeSpaceTargetMB' value must be >= 1, actual value '${megabytes}'`,
      );
    }
    // A single run has nothing to do, because the engine frees space continuously.
    if (on && parameters.compacting !== undefined && (runOnce || parameters.compacting !== megabytes)) {
      throw new ServerError(
        'AlreadyInitialized',
        'background compaction is already running with another configuration',
      );
    }
    parameters.compacting = on && !runOnce ? megabytes : undefined;
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
