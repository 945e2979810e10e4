import { Resolver } from 'node:dns';
import { isSafeIssuer } from '@portolan/foundation/outgoing/issuers';
import { isPostgresUrl } from '../store/postgres/location.ts';

/**
 * One row of the table of settings: a flag, its environment variable (`PORTOLAN_` and the flag in capitals), its
 * default, and a parser. Flags override the environment, which overrides the file.
 */
export interface Setting<T> {
  readonly description: string;
  /** The default as shown to users; absent if there is none. */
  readonly default?: string;
  /** Whether the feature is only planned. Until it exists, the setting is rejected. */
  readonly later?: true;
  /** Whether the flag has no value. */
  readonly switch?: true;
  /** Whether the value may contain a password. Messages must not repeat such a value. */
  readonly secret?: true;
  /** Parses a text. Throws an Error whose message names the accepted values. */
  read(text: string): T;
}

export const text = (description: string, fallback?: string): Setting<string> => ({
  description,
  ...(fallback === undefined ? {} : { default: fallback }),
  read: (value) => value,
});

export const yesNo = (description: string): Setting<boolean> => ({
  description,
  default: 'off',
  switch: true,
  read(value) {
    if (['true', 'on', '1', 'yes'].includes(value)) return true;
    if (['false', 'off', '0', 'no'].includes(value)) return false;
    throw new Error('takes on or off');
  },
});

export const list = (description: string): Setting<readonly string[]> => ({
  description,
  read: (value) =>
    value
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== ''),
});

export const oneOf = <const T extends readonly string[]>(
  values: T,
  description: string,
  fallback: T[number],
): Setting<T[number]> => ({
  description,
  default: fallback,
  read(value) {
    if (!values.includes(value)) throw new Error(`takes one of ${values.join(', ')}`);
    return value;
  },
});

/** The host and port on which a server listens. */
interface Address {
  readonly host: string;
  readonly port: number;
}

export function readAddress(value: string): Address {
  const [, host, port] = /^(\[[^\]]+\]|[^:]+):(\d{1,5})$/.exec(value) ?? [];
  if (host === undefined || Number(port) > 65_535) throw new Error('takes HOST:PORT, such as 127.0.0.1:8443');
  return { host: host.replace(/^\[|\]$/g, ''), port: Number(port) };
}

export function readDnsServers(value: string): readonly string[] {
  const servers = value.split(',').map((server) => server.trim());
  try {
    new Resolver().setServers(servers);
  } catch {
    throw new Error('takes IP addresses, such as 192.0.2.1 or 192.0.2.1:53');
  }
  return servers;
}

export function readPorts(value: string): {
  readonly from: number;
  readonly to: number;
  readonly first: number;
} {
  const [, from, to, first] = /^(\d+)-(\d+)(?:,(\d+))?$/.exec(value) ?? [];
  const range = { from: Number(from), to: Number(to), first: Number(first ?? from) };
  if (!(range.from > 0 && range.to <= 65_535 && range.from <= range.first && range.first <= range.to)) {
    throw new Error('takes FROM-TO,FIRST, such as 20000-29999,27100');
  }
  return range;
}

export function readDays(value: string): number {
  if (!/^[1-9]\d{0,4}$/.test(value)) throw new Error('takes a number of days');
  return Number(value);
}

export function readUrl(value: string): string {
  if (!URL.canParse(value)) throw new Error('takes a URL');
  return value.replace(/\/$/, '');
}

/** Returns the URL unchanged, since issuers are compared as text. */
export function readIssuer(value: string): string {
  if (!isSafeIssuer(value, true))
    throw new Error('takes an https URL, or an http URL with a loopback address');
  return value;
}

export function readUrlsByName(value: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    value.split(',').map((part) => {
      const [, name, url] = /^([A-Z_]+)=(.+)$/.exec(part.trim()) ?? [];
      if (name === undefined || url === undefined)
        throw new Error('takes a list of NAME=URL, separated by commas');
      return [name, readUrl(url)];
    }),
  );
}

export function readPostgres(value: string): string {
  if (!isPostgresUrl(value)) throw new Error('takes a URL such as postgres://user:password@host:5432/name');
  return value;
}
