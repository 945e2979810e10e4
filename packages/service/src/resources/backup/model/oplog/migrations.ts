import type { Migration } from '../../../../store/store.ts';

const newColumns = [
  "spans {text} NOT NULL DEFAULT '[]'",
  'window_days {int64} NOT NULL DEFAULT 0',
  'next {int64}',
  'runs {int64} NOT NULL DEFAULT 0',
  'asked {int64} NOT NULL DEFAULT 0',
  'writing {int64} NOT NULL DEFAULT 0',
  'trimmed {int64}',
  'problem {text}',
  'problem_at {int64}',
  'ended {int64}',
];

export const oplogMigrations: readonly Migration[] = [
  {
    number: 209,
    name: 'columns of archived oplogs',
    async up(schema) {
      // Add columns rather than replace the table, since that would delete the segments that reference it.
      for (const column of newColumns) await schema.run(`ALTER TABLE backup_oplog ADD COLUMN ${column}`);
      const db = schema.from<{ backup_oplog: { cluster_id: string } & ReturnType<typeof columnsOf> }>();
      for await (const { cluster_id, document } of schema.rows<FormerOplog>('backup_oplog', 'cluster_id')) {
        const columns = columnsOf(JSON.parse(document));
        await db.updateTable('backup_oplog').set(columns).where('cluster_id', '=', cluster_id).execute();
      }
      await schema.run('ALTER TABLE backup_oplog DROP COLUMN document');
    },
  },
];

function columnsOf(facts: FormerFacts) {
  const { problem } = facts;
  return {
    spans: JSON.stringify(facts.spans),
    window_days: facts.windowDays,
    next: dateOf(facts.next),
    runs: facts.runs ?? 0,
    asked: facts.asked ? 1 : 0,
    writing: facts.writing ? 1 : 0,
    trimmed: dateOf(facts.trimmed),
    problem: problem?.reason ?? null,
    problem_at: dateOf(problem?.at),
    ended: dateOf(facts.ended),
  };
}

const dateOf = (iso: string | undefined) => (iso === undefined ? null : Date.parse(iso));

/** Rows before this migration. */
interface FormerOplog {
  readonly cluster_id: string;
  readonly document: string;
}

interface FormerFacts {
  readonly spans: readonly object[];
  readonly windowDays: number;
  readonly next?: string;
  readonly runs?: number;
  readonly asked?: boolean;
  readonly writing?: boolean;
  readonly trimmed?: string;
  readonly problem?: { readonly reason: string; readonly at: string };
  readonly ended?: string;
}
