import type { Migration } from '../../store/store.ts';

export const migrations: readonly Migration[] = [
  {
    number: 440,
    name: 'maintenance of projects',
    async up(schema) {
      await schema.run(`
        CREATE TABLE maintenance (
          group_id {text} PRIMARY KEY REFERENCES project (id) ON DELETE CASCADE,
          window_of {text},
          auto_defer {int64} NOT NULL,
          scheduled {int64},
          deferrals {int64} NOT NULL,
          start_asap {int64} NOT NULL,
          started {int64} NOT NULL
        ) {strict}`);
    },
  },
];
