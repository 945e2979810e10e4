import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { postgresDatabase } from './postgres.ts';

/** Where to open a store: the value of the setting `database`, or the default file. */
export type DatabaseLocation = { readonly file: string } | { readonly url: string };

/** Every kind of database that the service supports. A suite that omits one does not compile. */
export type DatabaseKind = 'sqlite' | 'postgres';

/** Creates an empty database for a test. It is removed after the test. */
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

/** Declares the same test for every kind of database. */
export function onEachDatabase(
  name: string,
  run: (t: TestContext, database: DatabaseLocation, kind: DatabaseKind) => Promise<void>,
): void {
  for (const kind of databaseKinds) {
    test(`${name} (${kind})`, async (t) => run(t, await emptyDatabase[kind](t), kind));
  }
}
