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
];
