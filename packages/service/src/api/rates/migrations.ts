import type { Migration } from '../../store/index.ts';

export const rateMigrations: readonly Migration[] = [
  {
    number: 40,
    name: 'rates of requests',
    up: (schema) =>
      schema.run(`CREATE TABLE request_rate (
        name {text} PRIMARY KEY,
        minute {int64} NOT NULL,
        taken {int64} NOT NULL
      ) {strict}`),
  },
];
