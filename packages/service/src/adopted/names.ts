import { promises as dns, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';

/** Resolves the names in connection strings by DNS servers other than those of the operating system. */
export interface Names {
  /**
   * Returns the connection string without an SRV name: the name is replaced by its hosts and options. Throws the reason
   * if the name cannot be resolved.
   */
  plain(connectionString: string): Promise<string>;
  /** Finds the addresses of a host. If the DNS servers lack the name, the operating system looks it up. */
  readonly lookup: LookupFunction;
}

const TIMEOUT_MS = 2_000;
const TRIES = 2;
/** The options that a TXT record can contain. */
const TXT_OPTIONS = ['authSource', 'loadBalanced', 'replicaSet'];
/** The error codes for a name that has no record of the requested type. The name itself may exist. */
const NO_RECORD = new Set(['ENODATA', 'ENOTFOUND']);
const DEFAULT_PORT = 27_017;

/** The parts of a connection string with an SRV name: the user with the password, the host, and the rest. */
const SRV = /^mongodb\+srv:\/\/((?:[^@/]*@)?)([^@/?:]+)(\/[^?]*)?(?:\?(.*))?$/;

/** Returns the SRV name in a connection string; undefined if it has none. */
export const srvHostIn = (connectionString: string): string | undefined => SRV.exec(connectionString)?.[2];

/** Resolves names with the given DNS servers. They are addresses such as `192.0.2.1` or `192.0.2.1:5353`. */
export function namesFrom(servers: readonly string[]): Names {
  const resolver = new dns.Resolver({ timeout: TIMEOUT_MS, tries: TRIES });
  resolver.setServers(servers);
  return {
    plain: (connectionString) => plainOf(resolver, connectionString),
    lookup(host, options, done) {
      addressesOf(resolver, host).then(
        (all) => {
          const [first] = all;
          if (options.all) done(null, all);
          else done(null, first?.address ?? '', first?.family);
        },
        (error: NodeJS.ErrnoException) => done(error, []),
      );
    },
  };
}

async function addressesOf(resolver: dns.Resolver, host: string): Promise<LookupAddress[]> {
  const found = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  const all = found.flatMap((one, index) =>
    one.status === 'fulfilled' ? one.value.map((address) => ({ address, family: index === 0 ? 4 : 6 })) : [],
  );
  return all.length > 0 ? all : dns.lookup(host, { all: true });
}

async function plainOf(resolver: dns.Resolver, connectionString: string): Promise<string> {
  const [, login = '', host, path = '/', query = ''] = SRV.exec(connectionString) ?? [];
  if (host === undefined) return connectionString;
  const { srvServiceName: service = 'mongodb', srvMaxHosts = '0', ...given } = fieldsOf(query);
  const hosts = await hostsOf(resolver, `_${service}._tcp.${host}`, parentOf(host));
  const most = Number(srvMaxHosts);
  const chosen = most > 0 ? hosts.slice(0, most) : hosts;
  const tls = given.ssl === undefined && given.tls === undefined ? { tls: 'true' } : {};
  const options = new URLSearchParams({ ...tls, ...(await optionsOf(resolver, host)), ...given });
  return `mongodb://${login}${chosen.join(',')}${path}?${options}`;
}

const fieldsOf = (query: string): Readonly<Record<string, string>> =>
  Object.fromEntries(new URLSearchParams(query));

/**
 * Returns the part of an SRV name with which its hosts must end. With this rule, a forged record cannot name a foreign
 * host.
 */
function parentOf(host: string): string {
  const labels = host.toLowerCase().split('.');
  return `.${(labels.length > 2 ? labels.slice(1) : labels).join('.')}`;
}

async function hostsOf(resolver: dns.Resolver, name: string, parent: string): Promise<string[]> {
  const records = await resolver.resolveSrv(name).catch((error) => {
    throw new Error(`the SRV record ${name} cannot be resolved: ${(error as Error).message}`);
  });
  if (records.length === 0) throw new Error(`the SRV record ${name} names no host`);
  return records.map(({ name: target, port = DEFAULT_PORT }) => {
    const host = target.replace(/\.$/, '').toLowerCase();
    if (!host.endsWith(parent))
      throw new Error(`the SRV record ${name} names ${host}, which is not in the domain ${parent.slice(1)}`);
    return `${host}:${port}`;
  });
}

/** Returns the options in the TXT record of a name. */
async function optionsOf(resolver: dns.Resolver, host: string): Promise<Readonly<Record<string, string>>> {
  const records = await resolver.resolveTxt(host).catch((error) => {
    if (NO_RECORD.has((error as NodeJS.ErrnoException).code ?? '')) return [];
    throw new Error(`the TXT record of ${host} cannot be resolved: ${(error as Error).message}`);
  });
  if (records.length > 1) throw new Error(`${host} has several TXT records`);
  const fields = fieldsOf((records[0] ?? []).join(''));
  const other = Object.keys(fields).find((name) => !TXT_OPTIONS.includes(name));
  if (other !== undefined) throw new Error(`the TXT record of ${host} has the option ${other}`);
  return fields;
}
