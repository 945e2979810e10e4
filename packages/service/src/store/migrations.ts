import type { Migration } from './store.ts';

export const storeMigrations: readonly Migration[] = [
  {
    number: 1,
    name: 'settings',
    up: (schema) =>
      schema.run(`CREATE TABLE setting (
        name {text} PRIMARY KEY,
        plain {text},
        sealed {bytes},
        CHECK ((plain IS NULL) <> (sealed IS NULL))
      ) {strict}`),
  },
  {
    number: 2,
    name: 'counters',
    up: (schema) =>
      schema.run(`CREATE TABLE counter (
        scope {text} NOT NULL,
        kind {text} NOT NULL,
        shard {int64} NOT NULL,
        count {int64} NOT NULL,
        PRIMARY KEY (scope, kind, shard)
      ) {strict}`),
  },
];
