import type { Migration } from '../../store/index.ts';

/**
 * This family has the migration numbers 801, 804 and 805. The other numbers from 800 to 809 belong to the family
 * `sessions`. All dates are machine time.
 */
export const migrations: readonly Migration[] = [
  {
    number: 801,
    name: 'mails to people',
    async up(schema) {
      await schema.run(`CREATE TABLE person_mail (
        id {text} PRIMARY KEY,
        kind {text} NOT NULL,
        subject_id {text} NOT NULL,
        recipient {text} NOT NULL,
        subject {text} NOT NULL,
        outcome {text} NOT NULL,
        problem {text},
        created {int64} NOT NULL
      ) {strict}`);
      await schema.run('CREATE INDEX person_mail_of_subject ON person_mail (subject_id, created)');
    },
  },
  {
    number: 804,
    name: 'texts of notices',
    async up(schema) {
      await schema.run('ALTER TABLE person_mail ADD COLUMN text {text}');
    },
  },
  {
    number: 805,
    name: 'dates of mails',
    async up(schema) {
      await schema.run('CREATE INDEX person_mail_by_date ON person_mail (created)');
    },
  },
];
