import type { Migration } from '../../store/store.ts';

export const migrations: readonly Migration[] = [
  {
    number: 720,
    name: 'deployments that others run',
    up: (schema) =>
      schema.run(`CREATE TABLE adopted_deployment (
        cluster_id {text} PRIMARY KEY,
        created {int64} NOT NULL,
        connection {bytes} NOT NULL
      ) {strict}`),
  },
];
