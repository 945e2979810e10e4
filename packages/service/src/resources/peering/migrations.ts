import type { Migration } from '../../store/store.ts';

export const migrations: readonly Migration[] = [
  {
    number: 118,
    name: 'peering connections',
    up: (schema) =>
      schema.run(`
        CREATE TABLE network_peer (
          id {text} PRIMARY KEY,
          group_id {text} NOT NULL REFERENCES project (id) ON DELETE CASCADE,
          container_id {text} NOT NULL REFERENCES network_container (id) ON DELETE CASCADE,
          provider {text} NOT NULL,
          settings {text} NOT NULL
        ) {strict}`),
  },
];
