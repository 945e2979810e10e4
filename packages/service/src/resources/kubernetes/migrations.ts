import type { Migration } from '../../store/store.ts';

export const migrations: readonly Migration[] = [
  {
    number: 730,
    name: 'users of clusters on Kubernetes',
    up: (schema) =>
      schema.run(`CREATE TABLE kubernetes_user (
        cluster_id {text} NOT NULL,
        name {text} NOT NULL,
        PRIMARY KEY (cluster_id, name)
      ) {strict}`),
  },
];
