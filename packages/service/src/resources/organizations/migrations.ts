import type { Migration } from '../../store/store.ts';

export const migrations: readonly Migration[] = [
  {
    number: 100,
    name: 'organizations',
    async up(schema) {
      await schema.run(`
        CREATE TABLE organization (
          id {text} PRIMARY KEY,
          name {text} NOT NULL,
          created {int64} NOT NULL,
          skip_default_alerts {int64} NOT NULL
        ) {strict}`);
    },
  },
  {
    number: 150,
    name: 'settings of organizations',
    up: (schema) =>
      schema.run(`
        CREATE TABLE organization_settings (
          org_id {text} PRIMARY KEY REFERENCES organization (id) ON DELETE CASCADE,
          document {text} NOT NULL
        ) {strict}`),
  },
];
