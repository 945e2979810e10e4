import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls';
import { guardedTarget } from '@portolan/foundation/outgoing/guarded-post';
import type { SearchOptions } from 'ldapts';
import type { CheckRow } from './rows.ts';
import type { Validation } from './schema.ts';

/** Time limit of the connection and of each request, in milliseconds. */
const LIMIT_MS = 10_000;
/**
 * Maximum number of bytes that are read from a server. A server can send any number of entries, and the library copies
 * all received bytes again for each packet. Without a maximum, a reply could therefore block the service. Replies that
 * contain only attribute names are small.
 */
const MAX_REPLY_BYTES = 64 * 1024;
const USER = /\{USER\}/g;

export type DirectoryServer = CheckRow['request'];

export interface Access {
  readonly password: string;
  /** Whether the server may have an address outside the public network. */
  readonly allowPrivate: boolean;
}

/** Connects to an LDAP server, logs in and sends the query. Returns the result of each step up to the first failure. */
export async function verifyDirectory(
  { hostname, port, bindUsername, caCertificate, authzQueryTemplate = '' }: DirectoryServer,
  { password, allowPrivate }: Access,
): Promise<Validation[]> {
  const { Client, ResultCodeError } = await import('ldapts');
  const results: Validation[] = [];
  const ends = (validationType: Validation['validationType'], isDone: boolean) => {
    results.push({ status: isDone ? 'OK' : 'FAIL', validationType });
    return !isDone;
  };
  let client: InstanceType<typeof Client> | undefined;
  try {
    const { lookup } = guardedTarget(hostname, allowPrivate);
    const tlsOptions = { ...(caCertificate ? { ca: [caCertificate] } : {}), ...(lookup && { lookup }) };
    const host = hostname.includes(':') ? `[${hostname}]` : hostname;
    const times = { timeout: LIMIT_MS, connectTimeout: LIMIT_MS };
    const url = `ldaps://${host}:${port}`;
    client = new Client({
      url,
      ...times,
      tlsOptions,
      createSecureConnection: connectBounded as typeof connect,
    });
    const login = await client.bind(bindUsername, password).catch((error: unknown) => error);
    // A reply with an error code shows that the connection works.
    const isConnected = login === undefined || login instanceof ResultCodeError;
    if (ends('CONNECT', isConnected)) return results;
    if (ends('AUTHENTICATE', login === undefined) || authzQueryTemplate === '') return results;
    const query = readQuery(authzQueryTemplate, bindUsername);
    if (ends('PARSE_AUTHZ_QUERY', query !== undefined) || query === undefined) return results;
    const answer = client.search(query.base, query.options);
    ends('QUERY_SERVER', await answer.then(Boolean, () => false));
    return results;
  } catch {
    ends('CONNECT', false);
    return results;
  } finally {
    await client?.unbind().catch(() => {});
  }
}

/** Connects with TLS. Closes the connection when the server has sent too much. */
function connectBounded(port: number, host: string, options?: ConnectionOptions): TLSSocket {
  const socket = connect(port, host, options);
  let received = 0;
  // Count bytes only after the handshake, when the library also begins to read. Until then, the socket buffers the
  // data, since it has no listener.
  socket.once('secureConnect', () =>
    socket.on('data', ({ length }: Buffer) => {
      received += length;
      if (received > MAX_REPLY_BYTES) socket.destroy(new Error('The server has sent too much'));
    }),
  );
  return socket;
}

const scopes: Readonly<Record<string, NonNullable<SearchOptions['scope']>>> = {
  '': 'base',
  base: 'base',
  one: 'one',
  sub: 'sub',
};

/** Parses a query in the form of the last part of an LDAP URL (RFC 4516). Undefined if it is not valid. */
export function readQuery(
  template: string,
  user: string,
): { readonly base: string; readonly options: SearchOptions } | undefined {
  const [base = '', attributes = '', scopeName = '', filter = '', ...more] = template.split('?');
  const scope = Object.hasOwn(scopes, scopeName) ? scopes[scopeName] : undefined;
  if (more.length > 0 || scope === undefined || base === '') return undefined;
  if (filter !== '' && !/^\(.+\)$/.test(filter)) return undefined;
  const names = attributes.split(',').filter((name) => name !== '');
  const options: SearchOptions = {
    scope,
    sizeLimit: 1,
    timeLimit: LIMIT_MS / 1000,
    // Request only the names of attributes. The values are not used, and may be large.
    returnAttributeValues: false,
  };
  if (names.length > 0) options.attributes = names;
  if (filter !== '') options.filter = filter.replace(USER, () => escaped(user));
  return { base: base.replace(USER, () => user), options };
}

/** Escapes a value in a filter (RFC 4515). */
const escaped = (value: string) =>
  value.replace(/[\\*()\0]/g, (character) => `\\${character.charCodeAt(0).toString(16).padStart(2, '0')}`);
