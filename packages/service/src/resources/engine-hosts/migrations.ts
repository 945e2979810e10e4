import type { Migration } from '../../store/store.ts';

export const migrations: readonly Migration[] = [
  {
    number: 90,
    name: 'engine hosts',
    async up(schema) {
      await schema.run(`
        CREATE TABLE engine_host (
          id {text} PRIMARY KEY,
          address {text} NOT NULL,
          port {int64} NOT NULL,
          token {bytes} NOT NULL,
          last_seen {int64} NOT NULL
        ) {strict}`);
    },
  },
  {
    number: 91,
    name: 'engine hosts of other machines',
    async up(schema) {
      await schema.run('ALTER TABLE engine_host ADD COLUMN authority {text}');
    },
  },
  {
    number: 92,
    name: 'keepers of engine hosts',
    async up(schema) {
      await schema.run(`
        CREATE TABLE host_keeper (
          host {text} PRIMARY KEY,
          keeper {text} NOT NULL,
          kept_until {int64} NOT NULL
        ) {strict}`);
    },
  },
];
