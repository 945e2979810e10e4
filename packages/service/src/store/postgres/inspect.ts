import { machineClock } from '@portolan/foundation/clock';
import type { Client } from 'pg';
import { type Fitting, misfit } from '../fitting.ts';
import { FINGERPRINT } from '../settings.ts';
import { type Host, hostsOf, placeOf } from './location.ts';

export interface PostgresInspection {
  /** The host with its port. If the URL has several hosts, this is the host whose server accepts writes. */
  readonly host: string;
  /** The server's version. */
  readonly version: string;
  /** Why the service would not start with the database; undefined if the service would start. */
  readonly fault: string | undefined;
}

/**
 * Inspects a server and its database without writing. Rejects with the error message of the server if the connection
 * fails. Also rejects if the inspection takes longer than `withinMs`.
 */
export async function inspectPostgres(
  url: string,
  withinMs: number,
  fitting: Fitting = {},
): Promise<PostgresInspection> {
  // Load the client on demand, as the store does.
  const { default: pg } = await import('pg');
  const host = await hostIn(url);
  const client = new pg.Client({ connectionString: host.url, connectionTimeoutMillis: withinMs });
  try {
    await client.connect();
    const [row] = await rowsOf<{ server_version: string }>(client, 'SHOW server_version');
    const version = row?.server_version ?? 'unknown';
    return { host: host.name, version, fault: await faultIn(client, fitting) };
  } finally {
    await client.end().catch(() => {});
  }
}

async function hostIn(url: string): Promise<Host> {
  const [only, ...others] = hostsOf(url);
  if (only !== undefined && others.length === 0) return only;
  const { findWritable } = await import('./search.ts');
  return findWritable({ hosts: hostsOf(url), place: placeOf(url), machine: machineClock() });
}

async function faultIn(client: Client, fitting: Fitting): Promise<string | undefined> {
  // Find the tables by the search path, because the service has created them in the schema that the search path
  // selects.
  const there = "SELECT 1 WHERE to_regclass('migration') IS NOT NULL AND to_regclass('setting') IS NOT NULL";
  if ((await rowsOf(client, there)).length === 0) return undefined;
  const [newest] = await rowsOf<{ number: number }>(
    client,
    'SELECT max(number)::int AS number FROM migration',
  );
  const [stored] = await rowsOf<{ plain: string }>(client, 'SELECT plain FROM setting WHERE name = $1', [
    FINGERPRINT,
  ]);
  return misfit({ newest: newest?.number ?? 0, fingerprint: stored?.plain }, fitting);
}

async function rowsOf<Row extends object>(
  client: Client,
  text: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  return (await client.query<Row>(text, [...values])).rows;
}
