import type { Migration } from '../../store/store.ts';

export const migrations: readonly Migration[] = [
  {
    number: 1200,
    name: 'endpoints to services of cloud providers',
    async up(schema) {
      await schema.run(`
        CREATE TABLE provider_endpoint (
          id {text} PRIMARY KEY,
          group_id {text} NOT NULL REFERENCES project (id) ON DELETE CASCADE,
          purpose {text} NOT NULL,
          provider {text} NOT NULL,
          region {text} NOT NULL,
          network_region {text} NOT NULL
        ) {strict}`);
      await schema.run(
        'CREATE INDEX provider_endpoint_by_group ON provider_endpoint (group_id, purpose, provider, id)',
      );
    },
  },
];
