import type { Selectable } from 'kysely';
import { fetchPage, type PageRange, type ReadTx, type Tx } from '../../store/index.ts';

interface Tables {
  person_mail: {
    id: string;
    kind: string;
    subject_id: string;
    recipient: string;
    subject: string;
    outcome: string;
    problem: string | null;
    created: number;
    text: string | null;
  };
}

export interface MailRow {
  readonly id: string;
  readonly kind: 'invitation' | 'notice' | 'reset';
  /** Id of the invitation, user or other resource that the mail is about. */
  readonly subjectId: string;
  readonly recipient: string;
  readonly subject: string;
  /** The result of sending. `KEPT` means that the mail was not sent, because no mail server is configured. */
  readonly outcome: 'FAILED' | 'KEPT' | 'SENT';
  readonly problem?: string | undefined;
  /** Time at which the mail was created, in machine time. */
  readonly created: number;
  /** The text of a notice. The text of other mails contains a secret, and is not stored. */
  readonly text?: string | undefined;
}

export async function insertMail(tx: Tx, row: MailRow): Promise<void> {
  const { subjectId, problem, text, ...rest } = row;
  const values = { ...rest, subject_id: subjectId, problem: problem ?? null, text: text ?? null };
  await tx.from<Tables>().insertInto('person_mail').values(values).execute();
}

/** Returns a page of the mails, newest first. */
export async function pageOfMails(tx: ReadTx, page: PageRange) {
  const query = tx.from<Tables>().selectFrom('person_mail').selectAll();
  const { rows, next } = await fetchPage(query, 'id', page, 'desc');
  return { rows: rows.map(readMail), next };
}

/** Returns the number of mails about an invitation or user that were created after a date. */
export async function countMails(tx: ReadTx, subjectId: string, after: number): Promise<number> {
  const query = tx.from<Tables>().selectFrom('person_mail').select('id').where('subject_id', '=', subjectId);
  return (await query.where('created', '>', after).execute()).length;
}

/** Returns the ids of up to `most` mails that were created before a date or on it. */
export async function mailsBefore(tx: ReadTx, before: number, most: number): Promise<string[]> {
  const old = tx.from<Tables>().selectFrom('person_mail').select('id').where('created', '<=', before);
  return (await old.orderBy('created').limit(most).execute()).map(({ id }) => id);
}

export async function deleteMails(tx: Tx, ids: readonly string[]): Promise<void> {
  await tx.from<Tables>().deleteFrom('person_mail').where('id', 'in', ids).execute();
}

function readMail(row: Selectable<Tables['person_mail']>): MailRow {
  const { id, recipient, subject, created, problem, text } = row;
  const kind = row.kind as MailRow['kind'];
  const outcome = row.outcome as MailRow['outcome'];
  return {
    id,
    kind,
    subjectId: row.subject_id,
    recipient,
    subject,
    outcome,
    created,
    problem: problem ?? undefined,
    text: text ?? undefined,
  };
}
