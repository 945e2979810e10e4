import type { Migration } from '../../store/store.ts';

export const migrations: readonly Migration[] = [
  {
    number: 710,
    name: 'projects with a fixed threshold of slow operations',
    async up(schema) {
      await schema.run(`
        CREATE TABLE fixed_slow_threshold (
          group_id {text} PRIMARY KEY REFERENCES project (id) ON DELETE CASCADE
        ) {strict}`);
    },
  },
];
