import type { Migration } from '../../store/store.ts';

export const migrations: readonly Migration[] = [
  {
    number: 400,
    name: 'outage simulations',
    async up(schema) {
      await schema.run(`
        CREATE TABLE outage_simulation (
          id {text} PRIMARY KEY,
          group_id {text} NOT NULL REFERENCES project (id) ON DELETE CASCADE,
          cluster_id {text} NOT NULL UNIQUE,
          cluster_name {text} NOT NULL,
          state {text} NOT NULL,
          filters {text} NOT NULL,
          cut {text} NOT NULL,
          requested {int64} NOT NULL,
          majority_lost {int64} NOT NULL
        ) {strict}`);
    },
  },
];
