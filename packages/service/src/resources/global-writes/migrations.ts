import type { Migration } from '../../store/store.ts';

export const migrations: readonly Migration[] = [
  {
    number: 1100,
    name: 'global writes',
    async up(schema) {
      await schema.run(`
        CREATE TABLE zone_mapping (
          cluster_id {text} NOT NULL REFERENCES cluster (id) ON DELETE CASCADE,
          location {text} NOT NULL,
          zone_id {text} NOT NULL,
          PRIMARY KEY (cluster_id, location)
        ) {strict}`);
      await schema.run(`
        CREATE TABLE managed_namespace (
          cluster_id {text} NOT NULL REFERENCES cluster (id) ON DELETE CASCADE,
          db_name {text} NOT NULL,
          coll_name {text} NOT NULL,
          settings {text} NOT NULL,
          PRIMARY KEY (cluster_id, db_name, coll_name)
        ) {strict}`);
    },
  },
];
