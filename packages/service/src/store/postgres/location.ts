import { StoreError } from '../errors.ts';

/** One server of a database URL. */
export interface Host {
  /** The URL of the database with only this host. */
  readonly url: string;
  /** The host with its port, for messages. */
  readonly name: string;
}

/** Matches the scheme `postgres://`, the credentials, the hosts, the path, and the parameters. */
const FORM = /^(postgres(?:ql)?:\/\/)(?:([^/?#]*)@)?([^/?#]*)(\/[^?#]*)?(?:\?([^#]*))?$/;

/**
 * Returns the servers of a URL. A URL can have several hosts as in libpq:
 * `postgres://user:password@host1:5432,host2:5432/database`, or `?host=host1,host2&port=5432,5433`
 * (postgresql.org/docs/current/libpq-connect.html#LIBPQ-MULTIPLE-HOSTS). Each server gets a URL of its own, because the
 * package `pg` connects to only one host.
 */
export function hostsOf(url: string): readonly Host[] {
  const [, scheme = '', credentials, authority = '', path = '', query = ''] = FORM.exec(url) ?? [];
  const parameters = new URLSearchParams(query);
  const addresses = parameters.get('host')?.includes(',')
    ? addressesOf(parameters.get('host') ?? '', parameters.get('port') ?? '')
    : authority.split(',');
  if (addresses.length === 1) return [{ url, name: nameOf(checked(url)) }];
  const lacking = addresses.some((address) => address === '' || address.startsWith(':'));
  if (scheme === '' || lacking) throw invalid();
  for (const name of ['host', 'port', 'target_session_attrs']) parameters.delete(name);
  const rest = `${path}${parameters.size > 0 ? `?${parameters}` : ''}`;
  return addresses.map((address) => {
    const single = `${scheme}${credentials === undefined ? '' : `${credentials}@`}${address}${rest}`;
    return { url: single, name: nameOf(checked(single)) };
  });
}

export function isPostgresUrl(url: string): boolean {
  try {
    return hostsOf(url).length > 0;
  } catch {
    return false;
  }
}

/** Returns the addresses in the parameters `host` and `port`. A single port applies to all hosts. */
function addressesOf(host: string, port: string): string[] {
  const [hosts, ports] = [host.split(','), port.split(',')];
  if (ports.length !== 1 && ports.length !== hosts.length) throw invalid();
  return hosts.map((one, index) => {
    const number = ports.length === 1 ? ports[0] : ports[index];
    const name = one.includes(':') ? `[${one}]` : encodeURIComponent(one);
    return `${name}${number && `:${number}`}`;
  });
}

/** Validates the URL of a database. Returns the name of the database for messages, without credentials. */
export function placeOf(url: string): string {
  const hosts = hostsOf(url);
  const name = decodeURIComponent(checked(hosts[0]?.url ?? '').pathname.slice(1));
  return `The database ${name || 'of the user'} at ${hosts.map((host) => host.name).join(', ')}`;
}

/**
 * Throws if the parameter `target_session_attrs` requests a server that does not accept writes. If the parameter is
 * missing, the service selects a server that accepts writes.
 */
export function checkSession(url: string): void {
  const wanted = new URLSearchParams(FORM.exec(url)?.[5]).get('target_session_attrs');
  if (wanted === null || ['any', 'read-write', 'primary'].includes(wanted)) return;
  throw new StoreError(
    'configuration',
    'The database URL is invalid: target_session_attrs is read-write or primary, since the service writes',
  );
}

function checked(url: string): URL {
  const parsed = URL.parse(url);
  if (parsed === null || !['postgres:', 'postgresql:'].includes(parsed.protocol)) throw invalid();
  return parsed;
}

function nameOf(url: URL): string {
  const host = decodeURIComponent(url.hostname) || url.searchParams.get('host') || 'localhost';
  return `${host}${url.port && `:${url.port}`}`;
}

/** Returns the error for an invalid URL. The message does not repeat the URL, which may contain a password. */
function invalid(): StoreError {
  return new StoreError(
    'configuration',
    'The database URL is invalid: it has the form postgres://user:password@host:5432/database',
  );
}
