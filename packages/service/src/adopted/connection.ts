import { countValues } from '@portolan/engine/management';
import type { Document, MongoClient, MongoClientOptions } from 'mongodb';
import { type ByteCount, boundedReplies } from '../replication/bounded-messages.ts';
import { codeOf, OVERDUE, PASSING } from '../replication/error-codes.ts';
import { BUILD_MS, COMMAND_MS, endingAfter, SHORT_MS } from '../replication/limits.ts';
import type { Names } from './names.ts';
import { cleanHello } from './replies.ts';

/**
 * How to connect to a deployment that runs outside Portolan. It can contain passwords and private keys, so it
 * is stored encrypted.
 */
export interface AdoptedConnection {
  readonly connectionString: string;
  /** The certificate authority of the servers, in PEM. */
  readonly caCertificate?: string;
  /** The client certificate with its private key, in PEM. */
  readonly clientCertificate?: string;
  /** Resolves host names. By default, the operating system does. */
  readonly names?: Names | undefined;
  /** Limits the bytes that clients of the deployment and its members read, except clients that copy or write data. */
  readonly counts?: ByteCount | undefined;
}

/** Loads the driver on first use, since most services have no adopted deployments. */
const driver = () => import('mongodb');

/** After this time without a usable server, the deployment counts as unreachable. */
const SELECTION_MS = 5_000;
const CHECK_MS = 2_000;
/** Time limit of commands that inspect the deployment, since a frozen server never replies. */
const SOCKET_TIMEOUT_MS = 8_000;
/**
 * The longest reply to a command that inspects the deployment. The driver decodes a reply without a pause, which can take
 * a tenth of a second for this length. The longest usual reply lists 10,000 users.
 */
const MAX_INSPECTED_BYTES = 8_000_000;
/** The longest reply to other commands: the longest document, and the head of the message. */
const MAX_REPLY_BYTES = 17_000_000;

/**
 * The most values in a reply. The driver decodes them in at most 50 ms without a pause. A reply that lists 10,000 users has
 * about 150,000 values.
 */
const MAX_REPLY_VALUES = 200_000;

function undecodable(reply: Uint8Array): string | undefined {
  return countValues(reply, MAX_REPLY_VALUES) > MAX_REPLY_VALUES
    ? `a reply has more than ${MAX_REPLY_VALUES} values, and the service decodes no more`
    : undefined;
}

const COMMON: MongoClientOptions = {
  appName: 'Portolan',
  connectTimeoutMS: SELECTION_MS,
  serverSelectionTimeoutMS: SELECTION_MS,
  heartbeatFrequencyMS: CHECK_MS,
  // A server could stream replies to `hello` without end, and the driver would decode them all.
  serverMonitoringMode: 'poll',
  maxPoolSize: 4,
};

function secretOptions({ caCertificate, clientCertificate, names }: AdoptedConnection): MongoClientOptions {
  return {
    ...(names && { lookup: names.lookup }),
    ...(caCertificate === undefined ? {} : { tls: true, ca: caCertificate }),
    ...(clientCertificate === undefined
      ? {}
      : { tls: true, cert: clientCertificate, key: clientCertificate }),
  };
}

/**
 * Creates a client of the whole deployment, not yet connected. Throws if the connection string is malformed. Each
 * command has a time limit, which defaults to the limit for inspecting commands.
 */
export function clientOf(
  connection: AdoptedConnection,
  socketTimeoutMS = SOCKET_TIMEOUT_MS,
): Promise<MongoClient> {
  const { counts } = connection;
  const longest = socketTimeoutMS === SOCKET_TIMEOUT_MS ? MAX_INSPECTED_BYTES : MAX_REPLY_BYTES;
  return newClient(connection, {
    socketTimeoutMS,
    ...boundedReplies({ longest, undecodable, counts }),
  });
}

/**
 * Creates a client with the given options. If `names` is set, throws if it cannot resolve a name in the
 * connection string.
 */
async function newClient(connection: AdoptedConnection, options: MongoClientOptions): Promise<MongoClient> {
  const { connectionString, names } = connection;
  const { MongoClient } = await driver();
  const plain = names === undefined ? connectionString : await names.plain(connectionString);
  try {
    const client = new MongoClient(plain, {
      ...{ ...COMMON, ...boundedReplies(), ...options },
      ...secretOptions(connection),
    });
    return checkingHello(client);
  } catch (error) {
    // If the host is missing, the driver takes the credentials for a host, and its message contains them.
    if (MALFORMED_HOST.test((error as Error).message))
      throw new Error('The connection string contains a malformed host.');
    throw error;
  }
}

const MALFORMED_HOST = /^Unable to parse .* with URL$/s;

/**
 * Connects a client at once, because a client whose first connection fails cannot connect again. Closes the client if
 * this fails.
 */
export async function connected(client: MongoClient): Promise<MongoClient> {
  try {
    return await client.connect();
  } catch (error) {
    await client.close();
    throw error;
  }
}

/** Why the driver cannot use the servers of a client. */
const malformed = new WeakMap<MongoClient, string>();

/** Corrects the replies to `hello`. The driver runs this function before it reads a reply. */
function checkingHello(client: MongoClient): MongoClient {
  client.on('serverHeartbeatSucceeded', ({ reply }) => {
    const field = cleanHello(reply);
    if (field === undefined) malformed.delete(client);
    else malformed.set(client, `The servers' reply to hello is malformed at /${field}.`);
  });
  return client;
}

/** Creates a client that reads all data, from primaries. `appName` names the client in the logs of the servers. */
export function copierOf(connection: AdoptedConnection, appName: string): Promise<MongoClient> {
  return newClient(connection, {
    ...{ appName, socketTimeoutMS: COMMAND_MS },
    ...{ readPreference: 'primary', readConcern: { level: 'majority' } },
  });
}

/**
 * Creates a client that writes data or builds indexes, and waits until a majority has confirmed each write. With
 * `auth`, the client logs in as this user, whose password the servers store, instead of the user in the connection
 * string.
 */
export function writerOf(
  connection: AdoptedConnection,
  work: 'indexes' | 'writes',
  auth?: { readonly username: string; readonly password: string },
): Promise<MongoClient> {
  return newClient(connection, {
    appName: 'Portolan restores',
    socketTimeoutMS: work === 'writes' ? COMMAND_MS : BUILD_MS,
    ...{ readPreference: 'primary', writeConcern: { w: 'majority' } },
    ...(auth && { auth, authSource: 'admin', authMechanism: 'DEFAULT' }),
  });
}

/**
 * Creates a client of one member, with the credentials and options of the deployment's client. Without `logsIn`, the
 * client sends no credentials. The command `hello` needs none, and users of routers might not exist on the members of
 * shards.
 */
export async function memberClient(
  connection: AdoptedConnection,
  { options }: MongoClient,
  { address, logsIn }: { readonly address: string; readonly logsIn: boolean },
): Promise<MongoClient> {
  const { MongoClient } = await driver();
  const { credentials, tls, tlsAllowInvalidCertificates, tlsAllowInvalidHostnames } = options;
  const login = logsIn &&
    credentials && {
      authMechanism: credentials.mechanism,
      authSource: credentials.source,
      ...(credentials.username === '' && credentials.password === ''
        ? {}
        : { auth: { username: credentials.username, password: credentials.password } }),
    };
  const { counts } = connection;
  const longest = counts === undefined ? MAX_REPLY_BYTES : MAX_INSPECTED_BYTES;
  const client = new MongoClient(`mongodb://${address}/`, {
    ...{ ...COMMON, ...boundedReplies({ longest, undecodable, counts }), ...login },
    ...{ tls, directConnection: true, maxPoolSize: 2, socketTimeoutMS: SOCKET_TIMEOUT_MS },
    ...(tlsAllowInvalidCertificates ? { tlsAllowInvalidCertificates } : {}),
    ...(tlsAllowInvalidHostnames ? { tlsAllowInvalidHostnames } : {}),
    ...secretOptions(connection),
    ...(options.tlsCAFile === undefined ? {} : { tlsCAFile: options.tlsCAFile }),
    ...(options.tlsCertificateKeyFile === undefined
      ? {}
      : { tlsCertificateKeyFile: options.tlsCertificateKeyFile }),
  });
  return checkingHello(client);
}

/** Runs a command on any reachable member, by default in the database `admin`. */
export async function ask(client: MongoClient, command: Document, database = 'admin'): Promise<Document> {
  const send = () =>
    client.db(database).command(command, { readPreference: 'nearest', ...endingAfter(SHORT_MS) });
  try {
    return await againIfUnsent(send);
  } catch (error) {
    const reason = malformed.get(client);
    throw reason !== undefined && (error as Error).name === 'MongoServerSelectionError'
      ? new Error(reason)
      : error;
  }
}

/** Runs a command on the primary. */
export function runOn(client: MongoClient, command: Document, database = 'admin'): Promise<Document> {
  return againIfUnsent(() => client.db(database).command(command, endingAfter(SHORT_MS)));
}

/**
 * Sends a command. If the driver could not send it, sends it once more. A connection can close just before the driver
 * writes to it, for example because a check of the server failed. The driver then waits until the time limit of the
 * command.
 */
async function againIfUnsent<T>(send: () => Promise<T>): Promise<T> {
  try {
    return await send();
  } catch (error) {
    if ((error as Error).message !== UNSENT) throw error;
    return send();
  }
}

/** The driver's message if the time limit has passed before it could send a command. */
const UNSENT = 'Timed out at socket write';

/**
 * Runs a command like `ask`, but returns undefined if the server refuses the command or does not support it. Throws if
 * the server may accept the command later: a server that is shutting down must not seem to lack privileges.
 */
export async function askIfKnown(
  client: MongoClient,
  command: Document,
  database?: string,
): Promise<Document | undefined> {
  try {
    return await ask(client, command, database);
  } catch (error) {
    const { MongoServerError } = await driver();
    const mayPass = isPassing(error) || OVERDUE.has(codeOf(error));
    if (error instanceof MongoServerError && !mayPass) return undefined;
    throw error;
  }
}

/** Whether an error says that a primary is missing or steps down, or that a server shuts down. */
export const isPassing = (error: unknown) => PASSING.has(codeOf(error));

/**
 * Runs a command and returns the server's reply, even if it is an error. An index build may take a day, any other
 * command a minute.
 */
export function replyOf(client: MongoClient, command: Document, database: string): Promise<Document> {
  const limit = endingAfter('createIndexes' in command ? BUILD_MS : COMMAND_MS);
  return orErrorReply(() => client.db(database).command(command, limit));
}

/** Returns the result of `send`, or the reply of the server if it is an error. */
export async function orErrorReply(send: () => Promise<Document>): Promise<Document> {
  try {
    return await send();
  } catch (error) {
    const { MongoServerError } = await driver();
    if (!(error instanceof MongoServerError)) throw error;
    const { code, codeName, message } = error;
    return { ok: 0, code, codeName, errmsg: message, ...error.errorResponse };
  }
}
