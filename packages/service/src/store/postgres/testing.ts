import type { Migration, Store } from '../store.ts';

/** This file has a table of ships, for tests. */

export interface Tables {
  ship: { name: string };
}

export const migrations: readonly Migration[] = [
  {
    number: 900,
    name: 'ships',
    up: (schema) => schema.run('CREATE TABLE ship (name {text} PRIMARY KEY) {strict}'),
  },
];

export const add = (store: Store, name: string) =>
  store.write((tx) => tx.from<Tables>().insertInto('ship').values({ name }).execute());

export async function names(store: Store): Promise<string[]> {
  const rows = await store.read((tx) =>
    tx.from<Tables>().selectFrom('ship').selectAll().orderBy('name').execute(),
  );
  return rows.map(({ name }) => name);
}
