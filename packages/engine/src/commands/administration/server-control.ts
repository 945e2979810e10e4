import { bsonTypes } from '../../bson/bson-types.ts';
import { toBigInt } from '../../bson/numbers/convert.ts';
import { isNumber, textOf } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import { audited } from '../../observe/audited.ts';
import type { Command } from '../context/command.ts';
import { command } from '../shared/define.ts';
import { wrongType } from '../shared/fields.ts';
import { inspecting } from '../shared/presets.ts';

/** What is asked of the server's process: its logs, its certificates, its connections. */

const logRotate = command({
  name: 'logRotate',
  ...inspecting,
  database: 'admin',
  audit: audited('rotateLog', () => ({ pid: process.pid, osInfo: {} })),
  privileges: () => [{ action: 'logRotate' }],
  fields: { logRotate: 'value!' },
  run({ logRotate: asked }, { caller }, { observer }) {
    const named = asked.type === bsonTypes.string;
    if (!named && !isNumber(asked) && asked.type !== bsonTypes.bool) {
      throw wrongType(asked, 'logRotate.logRotate', ['bool', 'int', 'double', 'long', 'decimal', 'string']);
    }
    if (named && textOf(asked) !== 'server' && textOf(asked) !== 'audit') {
      throw new ServerError('NoSuchKey', `Unknown log type '${textOf(asked)}' for logRotate command`);
    }
    if (named && textOf(asked) === 'audit' && !observer?.auditing) {
      throw new ServerError(
        'NoSuchKey',
        "Unknown log type 'audit' for logRotate command: auditing is not enabled",
      );
    }
    observer?.rotate(caller.member, named && textOf(asked) === 'audit' ? 'audit' : 'server');
    return {};
  },
});

const rotateCertificates = command({
  name: 'rotateCertificates',
  ...inspecting,
  database: 'admin',
  privileges: () => [{ action: 'rotateCertificates' }],
  fields: { rotateCertificates: 'any', message: 'string' },
  // Whoever runs the engine renews them; connections from then on see the new one by themselves.
  run: () => ({}),
});

const dropConnections = command({
  name: 'dropConnections',
  ...inspecting,
  database: 'admin',
  privileges: () => [{ action: 'dropConnections' }],
  fields: { dropConnections: 'any', hostAndPort: 'array!' },
  // Members have no connections to other hosts.
  run({ hostAndPort }) {
    hostAndPort.forEach((host, i) => {
      if (host.type !== bsonTypes.string)
        throw wrongType(host, `dropConnections.hostAndPort.${i}`, ['string']);
      checkHost(textOf(host));
    });
    return {};
  },
});

/** A host, in brackets where it has colons of its own, and a port where it has one. */
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

/** As many as have a number of bytes below 2^63. */
const MOST_MEGABYTES = 2n ** 43n - 1n;

/** What is to be gained from a file before it is compacted, where nobody says. */
const COMPACT_MEGABYTES = 20n;

const autoCompact = command({
  name: 'autoCompact',
  ...inspecting,
  database: 'admin',
  privileges: () => [{ action: 'compact' }],
  fields: { autoCompact: 'bool!', freeSpaceTargetMB: 'number', runOnce: 'bool' },
  run({ autoCompact: on, freeSpaceTargetMB: target, runOnce = false }, _request, { parameters }) {
    // The server multiplies in 64 bits: what is beyond comes out below one byte.
    if (target !== undefined && on && (toBigInt(target) < 1n || toBigInt(target) > MOST_MEGABYTES)) {
      throw new ServerError(
        'BadValue',
        `BSON field 'freeSpaceTargetMB' value must be >= 1, actual value '${toBigInt(target)}'`,
      );
    }
    // Space of what was dropped is given back by itself: running once is over at once.
    const megabytes = target === undefined ? COMPACT_MEGABYTES : toBigInt(target);
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
