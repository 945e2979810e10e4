import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import type { Setup } from '../setups.ts';

export type Row = Readonly<Record<string, unknown>>;

/** Queries the service's database, which the service may be using at the same time. */
export async function rowsOf({ settings, instances }: Setup, query: string): Promise<readonly Row[]> {
  if (settings.database !== undefined) {
    const client = new pg.Client({ connectionString: String(settings.database) });
    await client.connect();
    return (await client.query(query).finally(() => client.end())).rows;
  }
  const file = join(instances[0]?.dataDirectory ?? '', 'portolan.sqlite');
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    return database.prepare(query).all();
  } finally {
    database.close();
  }
}
