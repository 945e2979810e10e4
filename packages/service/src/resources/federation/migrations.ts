import type { Migration } from '../../store/store.ts';

export const migrations: readonly Migration[] = [
  {
    number: 1300,
    name: 'federated authentication',
    async up(schema) {
      await schema.run(`
        CREATE TABLE federation (
          id {text} PRIMARY KEY,
          created {int64} NOT NULL
        ) {strict}`);
      await schema.run(`
        CREATE TABLE identity_provider (
          id {text} PRIMARY KEY,
          federation_id {text} NOT NULL REFERENCES federation (id) ON DELETE CASCADE,
          login_id {text} UNIQUE,
          revision {text} NOT NULL,
          document {text} NOT NULL,
          created {int64} NOT NULL,
          updated {int64}
        ) {strict}`);
      await schema.run(
        'CREATE INDEX identity_provider_of_federation ON identity_provider (federation_id, id)',
      );
      await schema.run(`
        CREATE TABLE connected_org (
          org_id {text} PRIMARY KEY REFERENCES organization (id) ON DELETE CASCADE,
          federation_id {text} NOT NULL REFERENCES federation (id) ON DELETE CASCADE,
          provider_id {text} REFERENCES identity_provider (id),
          document {text} NOT NULL
        ) {strict}`);
      await schema.run('CREATE INDEX connected_org_of_federation ON connected_org (federation_id, org_id)');
      await schema.run('CREATE INDEX connected_org_of_provider ON connected_org (provider_id, org_id)');
      await schema.run(`
        CREATE TABLE role_mapping (
          id {text} PRIMARY KEY,
          org_id {text} NOT NULL REFERENCES connected_org (org_id) ON DELETE CASCADE,
          group_name {text} NOT NULL,
          assignments {text} NOT NULL,
          UNIQUE (org_id, group_name)
        ) {strict}`);
    },
  },
];
