import { Binary } from 'bson';
import { bsonTypes } from '../../bson/bson-types.ts';
import type { RawDocument } from '../../bson/raw.ts';
import type { Value } from '../../bson/value.ts';
import { interruptions } from '../../errors/interruption.ts';
import { ServerError } from '../../errors/server-error.ts';
import type { ClusterContext } from '../context/cluster.ts';
import type { Command } from '../context/command.ts';
import type { CommandRequest } from '../context/request.ts';
import type { SessionKey } from '../context/sessions.ts';
import { command } from '../shared/define.ts';
import { fields, wrongType } from '../shared/fields.ts';
import { withoutData } from '../shared/presets.ts';
import { ownerDigest, sessionIdOf, sessionKey } from '../shared/session-key.ts';
import { SESSION_MINUTES } from './session-minutes.ts';

const startSession = command({
  name: 'startSession',
  ...withoutData,
  lenient: true,
  privileges: () => [],
  fields: { startSession: 'any' },
  run: (_args, { caller }, { sessions }) => ({
    id: { id: new Binary(sessions.start(caller.user), Binary.SUBTYPE_UUID) },
    timeoutMinutes: SESSION_MINUTES,
  }),
});

/** Returns the keys of the listed sessions. Their owner is the caller. */
function ownSessions(list: readonly RawDocument[], { name, caller }: CommandRequest): string[] {
  return list.map((session, i) => sessionKey(sessionIdOf(session, `${name}.${name}.${i}`), caller.user));
}

const endSessions = command({
  name: 'endSessions',
  ...withoutData,
  stableApi: true,
  privileges: () => [],
  fields: { endSessions: 'documents!' },
  run(args, request, { sessions }) {
    sessions.end(ownSessions(args.endSessions, request));
    return {};
  },
});

const refreshSessions = command({
  name: 'refreshSessions',
  ...withoutData,
  stableApi: true,
  privileges: () => [],
  fields: { refreshSessions: 'documents!' },
  run(args, request, { sessions }) {
    for (const session of ownSessions(args.refreshSessions, request)) sessions.use(session);
    return {};
  },
});

/** Ends sessions and kills their operations. */
function kill(sessions: readonly string[], { operations, sessions: all }: ClusterContext): void {
  const killed = new Set(sessions);
  const self = operations.current;
  operations.kill(
    (operation) => operation !== self && killed.has(operation.request?.session ?? ''),
    interruptions.killed(),
  );
  all.end(sessions);
}

const killSessions = command({
  name: 'killSessions',
  ...withoutData,
  lenient: true,
  privileges: () => [],
  fields: { killSessions: 'documents!' },
  run(args, request, cluster) {
    const { sessions } = cluster;
    // As on the server, an empty list means all sessions of the caller.
    const own = sessionKey('', request.caller.user).slice(1);
    const named = ownSessions(args.killSessions, request);
    kill(named.length > 0 ? named : sessions.find(({ owner }) => owner === own), cluster);
    return {};
  },
});

const userReader = fields('killAllSessions.killAllSessions', { user: 'string!', db: 'string!' });

const killAllSessions = command({
  name: 'killAllSessions',
  ...withoutData,
  lenient: true,
  privileges: () => [{ action: 'killAnySession' }],
  fields: { killAllSessions: 'documents!' },
  run(args, _request, cluster) {
    const owners = args.killAllSessions.map((document) => ownerOf(userReader.read(document)));
    const wanted = ({ owner }: SessionKey) => owners.length === 0 || owners.includes(owner);
    kill(cluster.sessions.find(wanted), cluster);
    return {};
  },
});

const patternFields = { lsid: 'object', uid: 'any', users: 'documents', roles: 'documents' } as const;
const patternReader = fields('killAllSessionsByPattern.killAllSessionsByPattern', patternFields);

const killAllSessionsByPattern = command({
  name: 'killAllSessionsByPattern',
  ...withoutData,
  lenient: true,
  privileges: () => [{ action: 'killAnySession' }],
  fields: { killAllSessionsByPattern: 'documents!' },
  run(args, _request, cluster) {
    const patterns = args.killAllSessionsByPattern.map(patternOf);
    const wanted = (key: SessionKey) => patterns.length === 0 || patterns.some((matches) => matches(key));
    kill(cluster.sessions.find(wanted), cluster);
    return {};
  },
});

/** Compiles a pattern. A session matches if all fields of the pattern match. */
function patternOf(document: RawDocument): (key: SessionKey) => boolean {
  const { lsid, uid, users, roles } = patternReader.read(document);
  // A session contains the name of its owner, but not the owner's roles.
  if (roles !== undefined) throw new ServerError('CommandNotSupported', 'sessions are not found by roles');
  const id = lsid && sessionIdOf(lsid, 'killAllSessionsByPattern.lsid');
  const owners = users?.map((user) => ownerOf(userReader.read(user)));
  const digest = uid && digestOf(uid);
  return (key) =>
    (id === undefined || key.id === id) &&
    (owners === undefined || owners.includes(key.owner)) &&
    (digest === undefined || Buffer.compare(ownerDigest(key.owner), digest) === 0);
}

/** Returns the contents of binary data. */
function digestOf(uid: Value): Uint8Array {
  if (uid.type !== bsonTypes.binData) throw wrongType(uid, 'killAllSessionsByPattern.uid', ['binData']);
  return uid.bytes.subarray(uid.start + 5, uid.end);
}

function ownerOf({ user, db }: { readonly user: string; readonly db: string }): string {
  return `${db}.${user}`;
}

export const sessionCommands: readonly Command[] = [
  startSession,
  endSessions,
  refreshSessions,
  killSessions,
  killAllSessions,
  killAllSessionsByPattern,
];
