import { subscribe, type Tx } from '../../store/index.ts';
import { enqueue, step, type TaskContext, type TaskKind } from '../../tasks/index.ts';
import { findUserNamed } from '../accounts/index.ts';
import type { Services } from '../services.ts';
import { personInvited } from '../users/index.ts';
import { type MailText, mailTextOf } from './mail-text.ts';
import type { NoticeText } from './notices.ts';
import { countMails, insertMail, type MailRow } from './rows.ts';

type Work =
  | { readonly kind: 'invitation'; readonly invitationId: string }
  | { readonly kind: 'reset'; readonly username: string }
  | ({ readonly kind: 'notice'; readonly subjectId: string } & MailText);

const MAIL = { kind: 'console.mail' };
const MAX_ATTEMPTS = 3;
const HOUR_MS = 3_600_000;
/**
 * Maximum number of mails per hour about the same user or invitation, so that nobody can flood another person's
 * mailbox.
 */
const MAILS_PER_HOUR = 3;

export const mailInvitation = subscribe(personInvited, async (tx, { invitationId }) => {
  const payload: Work = { kind: 'invitation', invitationId };
  await enqueue(tx, MAIL, { key: `console-mail:${invitationId}`, payload, unlessWaiting: true });
});

/**
 * Requests a mail with a link for a new password. This function does not look up the user name; the task does. The
 * request therefore takes the same time for unknown names, and does not reveal which names exist.
 */
export async function requestReset(tx: Tx, username: string): Promise<void> {
  const payload: Work = { kind: 'reset', username };
  await enqueue(tx, MAIL, {
    key: `console-mail:${username.toLowerCase()}`,
    payload,
    unlessWaiting: true,
  });
}

/** A mail without a link or another secret. */
interface Notice extends NoticeText {
  /** Id of the resource that the notice is about. */
  readonly subjectId: string;
  readonly to: readonly string[];
}

/** Mails a notice to several people. */
export async function mailNotice(tx: Tx, { subjectId, to, subject, text }: Notice): Promise<void> {
  for (const recipient of to) {
    const payload: Work = { kind: 'notice', subjectId, to: recipient, subject, text };
    await enqueue(tx, MAIL, { key: `console-mail:${subjectId}:${recipient}`, payload });
  }
}

/**
 * Sends a mail. The text of a mail with a link is composed when the mail is sent, because the link must not be stored.
 */
export const sendMail: TaskKind<Work, Services> = {
  ...MAIL,
  attempts: MAX_ATTEMPTS,
  backOff: { first: 10_000, greatest: 20_000 },
  awaitsExternalServices: true,
  steps: [
    step({
      name: 'send',
      run: send,
      async commit(tx, _context, row) {
        if (row) await insertMail(tx, { ...row, id: tx.id() });
      },
    }),
  ],
};

type Sent = Omit<MailRow, 'id'>;

async function send(context: TaskContext<Services, Work>): Promise<Sent | undefined> {
  const { services, payload, attempt } = context;
  const prepared = payload.kind === 'notice' ? noticeOf(services, payload) : await linkMail(context, payload);
  if (prepared === undefined) return undefined;
  const { row, mail } = prepared;
  const { outgoing } = services;
  if (outgoing.mail === undefined) return { ...row, outcome: 'KEPT' };
  try {
    await outgoing.mail({ ...mail, to: [mail.to] });
    return { ...row, outcome: 'SENT' };
  } catch (error) {
    if (attempt < MAX_ATTEMPTS) throw error;
    return { ...row, outcome: 'FAILED', problem: (error as Error).message };
  }
}

interface Prepared {
  readonly mail: MailText;
  readonly row: Omit<Sent, 'outcome'>;
}

function noticeOf(
  { machine }: Services,
  { kind, subjectId, ...mail }: Extract<Work, { kind: 'notice' }>,
): Prepared {
  const { to: recipient, subject, text } = mail;
  return { mail, row: { kind, subjectId, created: machine.now(), recipient, subject, text } };
}

/**
 * Composes a mail with a link. Returns undefined if the console is turned off, the recipient no longer
 * exists, or too many mails were sent.
 */
async function linkMail(
  { services, store }: TaskContext<Services, Work>,
  payload: Exclude<Work, { kind: 'notice' }>,
): Promise<Prepared | undefined> {
  if (services.console === undefined) return undefined;
  const created = services.machine.now();
  return store.read(async (tx) => {
    const { kind } = payload;
    const subjectId =
      kind === 'invitation' ? payload.invitationId : (await findUserNamed(tx, payload.username))?.id;
    if (subjectId === undefined) return undefined;
    if ((await countMails(tx, subjectId, created - HOUR_MS)) >= MAILS_PER_HOUR) return undefined;
    const mail = await mailTextOf(tx, services, { kind, subjectId, created });
    return mail && { mail, row: { kind, subjectId, created, recipient: mail.to, subject: mail.subject } };
  });
}
