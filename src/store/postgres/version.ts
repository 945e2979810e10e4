/** What a server calls itself, once it has let us in; rejects with its own words where it does not within `withinMs`. */
export async function postgresVersion(url: string, withinMs: number): Promise<string> {
  // As for the store: who has no such database does not load its client.
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: withinMs });
  try {
    await client.connect();
    const { rows } = await client.query<{ server_version: string }>('SHOW server_version');
    return rows[0]?.server_version ?? 'of a version that it does not tell';
  } finally {
    await client.end().catch(() => {});
  }
}
