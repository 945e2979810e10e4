import type { Migration } from '../../store/index.ts';

export const migrations: readonly Migration[] = [
  {
    number: 700,
    name: 'declared faults',
    up: (schema) =>
      schema.run(`CREATE TABLE declared_fault (
        id {text} PRIMARY KEY,
        created {int64} NOT NULL,
        rule {text} NOT NULL,
        calls {int64} NOT NULL,
        met {int64} NOT NULL
      ) {strict}`),
  },
];
