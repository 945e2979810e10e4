import { Binary } from 'bson';
import { step } from '../../bson/turns.ts';
import { interruptions } from '../../errors/interruption.ts';
import { ServerError } from '../../errors/server-error.ts';
import type { ClusterContext } from '../context/cluster.ts';
import type { Command } from '../context/command.ts';
import type { CommandRequest } from '../context/request.ts';
import type { SessionKey } from '../context/sessions.ts';
import { command } from '../shared/define.ts';
import { byType, converted, listOf, nested, required } from '../shared/field-builders.ts';
import type { Fields } from '../shared/fields.ts';
import { withoutData } from '../shared/presets.ts';
import { sessionId } from '../shared/session-id.ts';
import { ownerDigest, sessionKey } from '../shared/session-key.ts';
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
function ownSessions(ids: readonly string[], { caller }: CommandRequest): string[] {
  return ids.map((id) => sessionKey(id, caller.user));
}

const endSessions = command({
  name: 'endSessions',
  ...withoutData,
  stableApi: true,
  privileges: () => [],
  fields: { endSessions: required(listOf(sessionId)) },
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
  fields: { refreshSessions: required(listOf(sessionId)) },
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
  fields: { killSessions: required(listOf(sessionId)) },
  run(args, request, cluster) {
    const { sessions } = cluster;
    // As on the server, an empty list means all sessions of the caller.
    const own = sessionKey('', request.caller.user).slice(1);
    const named = ownSessions(args.killSessions, request);
    kill(named.length > 0 ? named : sessions.find(({ owner }) => owner === own), cluster);
    return {};
  },
});

/** The owner of sessions. */
const owner = converted(nested({ user: 'string!', db: 'string!' }), ({ user, db }) => `${db}.${user}`);

const killAllSessions = command({
  name: 'killAllSessions',
  ...withoutData,
  lenient: true,
  privileges: () => [{ action: 'killAnySession' }],
  fields: { killAllSessions: required(listOf(owner)) },
  run(args, _request, cluster) {
    const owners = new Set(args.killAllSessions);
    const wanted = (key: SessionKey) => owners.size === 0 || owners.has(key.owner);
    kill(cluster.sessions.find(wanted), cluster);
    return {};
  },
});

const patternFields = {
  lsid: sessionId,
  /** The contents of binary data. */
  uid: byType({ binData: ({ bytes, start, end }) => bytes.subarray(start + 5, end) }),
  users: listOf(owner),
  roles: 'documents',
} as const;

const killAllSessionsByPattern = command({
  name: 'killAllSessionsByPattern',
  ...withoutData,
  lenient: true,
  privileges: () => [{ action: 'killAnySession' }],
  fields: { killAllSessionsByPattern: required(listOf(nested(patternFields))) },
  run(args, _request, cluster) {
    const patterns = args.killAllSessionsByPattern.map(patternOf);
    const wanted = (key: SessionKey) => patterns.length === 0 || patterns.some((matches) => matches(key));
    kill(cluster.sessions.find(wanted), cluster);
    return {};
  },
});

/** Compiles a pattern. A session matches if all fields of the pattern match. */
function patternOf(pattern: Fields<typeof patternFields>): (key: SessionKey) => boolean {
  const { lsid: id, uid: digest, users, roles } = pattern;
  const owners = users && new Set(users);
  // A session contains the name of its owner, but not the owner's roles.
  if (roles !== undefined) throw new ServerError('CommandNotSupported', 'sessions are not found by roles');
  return (key) => {
    step();
    return (
      (id === undefined || key.id === id) &&
      (owners === undefined || owners.has(key.owner)) &&
      (digest === undefined || Buffer.compare(ownerDigest(key.owner), digest) === 0)
    );
  };
}

export const sessionCommands: readonly Command[] = [
  startSession,
  endSessions,
  refreshSessions,
  killSessions,
  killAllSessions,
  killAllSessionsByPattern,
];
