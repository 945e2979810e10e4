import type { Migration } from '../store/store.ts';

export const taskMigrations: readonly Migration[] = [
  {
    number: 10,
    name: 'tasks',
    async up(schema) {
      await schema.run(`CREATE TABLE task (
        id {text} PRIMARY KEY,
        kind {text} NOT NULL,
        key {text} NOT NULL,
        position {int64} NOT NULL,
        payload {text} NOT NULL,
        made {int64} NOT NULL,
        run_at {int64} NOT NULL,
        host {text},
        step {text} NOT NULL,
        results {text} NOT NULL,
        attempts {int64} NOT NULL,
        retry_at {int64} NOT NULL,
        error {text},
        failed {int64} NOT NULL,
        lease {text},
        lease_until {int64} NOT NULL,
        UNIQUE (key, position)
      ) {strict}`);
      await schema.run('CREATE INDEX task_open ON task (failed, id)');
    },
  },
  {
    number: 11,
    name: 'timetable',
    up: (schema) =>
      schema.run(`CREATE TABLE timetable (
        name {text} PRIMARY KEY,
        next_run {int64} NOT NULL
      ) {strict}`),
  },
  {
    number: 12,
    name: 'progress of tasks',
    async up(schema) {
      await schema.run('ALTER TABLE task ADD COLUMN progress_unit {text}');
      await schema.run('ALTER TABLE task ADD COLUMN progress_done {int64}');
      await schema.run('ALTER TABLE task ADD COLUMN progress_total {int64}');
    },
  },
  {
    number: 13,
    name: 'tasks by date',
    async up(schema) {
      await schema.run('CREATE INDEX task_run_at ON task (failed, run_at)');
      await schema.run('CREATE INDEX task_retry_at ON task (failed, retry_at)');
    },
  },
  {
    number: 14,
    name: 'owners of tasks',
    up: (schema) => schema.run('ALTER TABLE task ADD COLUMN owner {text}'),
  },
];
