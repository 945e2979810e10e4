import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { postgresDatabase } from './postgres.ts';

/** Where a store can be opened: what the `database` setting of the service says, or the file that it defaults to. */
export type DatabaseLocation = { readonly file: string } | { readonly url: string };

/** Every kind of database that the service runs on; a suite that leaves one out does not compile. */
export type DatabaseKind = 'sqlite' | 'postgres';

/** Makes an empty database for one test, and removes it when the test is over. */
export const emptyDatabase: Readonly<Record<DatabaseKind, (t: TestContext) => Promise<DatabaseLocation>>> = {
  async sqlite(t) {
    const folder = await mkdtemp(join(tmpdir(), 'portolan-store-'));
    t.after(() => rm(folder, { recursive: true, force: true }));
    return { file: join(folder, 'portolan.db') };
  },
  async postgres(t) {
    const { url, drop } = await postgresDatabase();
    t.after(drop);
    return { url };
  },
};

const databaseKinds = Object.keys(emptyDatabase) as DatabaseKind[];

/** The same test on every kind of database. */
export function onEachDatabase(
  name: string,
  run: (t: TestContext, database: DatabaseLocation, kind: DatabaseKind) => Promise<void>,
): void {
  for (const kind of databaseKinds) {
    test(`${name} (${kind})`, async (t) => run(t, await emptyDatabase[kind](t), kind));
  }
}
