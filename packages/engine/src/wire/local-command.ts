import { type Document, Double, serialize } from 'bson';
import { ServerError } from '../errors/server-error.ts';
import type { ConnectionClient } from './connection-client.ts';
import { type Answer, decodedFor } from './connection-commands.ts';
import type { ConnectionContext } from './connection-context.ts';
import { clusterTimes } from './hello.ts';

/** The value of `ok` is a double, as in the server. */
const SUCCESS = new Double(1);
const FAILURE = new Double(0);

/** A command that the connection thread runs itself. */
export interface LocalCommand {
  readonly command: Answer;
  readonly name: string;
  readonly bytes: Uint8Array;
}

interface CommandConnection {
  readonly connectionId: number;
  readonly memberId: string;
  readonly client: ConnectionClient;
  /** The host name in the TLS handshake. */
  readonly serverName: string | undefined;
}

/** Runs a command in this thread and returns its reply. A `ServerError` becomes an error reply. */
export function runLocally(
  { command, name, bytes }: LocalCommand,
  { connectionId, memberId, client, serverName }: CommandConnection,
  cluster: ConnectionContext,
): Uint8Array {
  const { view, services, topology, lastWrite, failPoints } = cluster;
  const facts = {
    audit: (atype: string, param: object, result: number) => client.audit(atype, param, result),
    findUser: (database: string, username: string) => cluster.find(database, username),
    metadataError: client.metadataError,
    connectionId,
    serverName,
    now: services.now(),
    topology,
    lastWrite,
    failPoints,
  };
  try {
    const { login } = client;
    const body = decodedFor(command, bytes);
    const reply: Document = command({ name, body, bytes, view, memberId, login, ...facts });
    return serialize({ ...reply, ok: SUCCESS, ...clusterTimes(facts) });
  } catch (error) {
    if (!(error instanceof ServerError)) throw error;
    const { message: errmsg, code, codeName, more } = error;
    return serialize({ ok: FAILURE, errmsg, code, codeName, ...more, ...clusterTimes(facts) });
  }
}
