import type { Migration } from '../../store/store.ts';

export const migrations: readonly Migration[] = [
  {
    number: 180,
    name: 'roles at cloud providers',
    async up(schema) {
      await schema.run(`
        CREATE TABLE provider_access_role (
          id {text} PRIMARY KEY,
          group_id {text} NOT NULL REFERENCES project (id) ON DELETE CASCADE,
          provider {text} NOT NULL,
          created {int64} NOT NULL,
          updated {int64} NOT NULL,
          authorized {int64},
          identity {text} NOT NULL
        ) {strict}`);
      await schema.run('CREATE INDEX provider_access_role_by_group ON provider_access_role (group_id, id)');
    },
  },
  {
    number: 181,
    name: 'usages of roles at cloud providers',
    async up(schema) {
      await schema.run(`
        CREATE TABLE provider_access_usage (
          role_id {text} NOT NULL REFERENCES provider_access_role (id) ON DELETE CASCADE,
          feature_type {text} NOT NULL,
          feature_id {text} NOT NULL,
          PRIMARY KEY (role_id, feature_type, feature_id)
        ) {strict}`);
    },
  },
];
