import { subscribe, type Tx } from '../../../store/index.ts';
import { enqueue, step, type TaskContext, type TaskKind } from '../../../tasks/index.ts';
import { findUserNamed } from '../../accounts/index.ts';
import type { Services } from '../../services.ts';
import { personInvited } from '../../users/index.ts';
import { letterOf } from './letters.ts';
import { countMails, insertMail, type MailRow } from './rows.ts';

type Work =
  | { readonly kind: 'invitation'; readonly invitationId: string }
  | { readonly kind: 'reset'; readonly username: string };

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
 * Requests a mail with a link for a new password. The task looks up the user name, so that this request takes the same
 * time for an unknown name.
 */
export async function requestReset(tx: Tx, username: string): Promise<void> {
  const payload: Work = { kind: 'reset', username };
  await enqueue(tx, MAIL, {
    key: `console-mail:${username.toLowerCase()}`,
    payload,
    unlessWaiting: true,
  });
}

/** Sends a mail with a link. The text is composed when the mail is sent, because the link must not be stored. */
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

async function send({
  services,
  store,
  payload,
  attempt,
}: TaskContext<Services, Work>): Promise<Sent | undefined> {
  const { machine, outgoing } = services;
  if (services.console === undefined) return undefined;
  const created = machine.now();
  const prepared = await store.read(async (tx) => {
    const { kind } = payload;
    const subjectId =
      kind === 'invitation' ? payload.invitationId : (await findUserNamed(tx, payload.username))?.id;
    if (subjectId === undefined) return undefined;
    if ((await countMails(tx, subjectId, created - HOUR_MS)) >= MAILS_PER_HOUR) return undefined;
    const letter = await letterOf(tx, services, { kind, subjectId, created });
    return (
      letter && { letter, row: { kind, subjectId, created, recipient: letter.to, subject: letter.subject } }
    );
  });
  if (prepared === undefined) return undefined;
  const { row, letter } = prepared;
  if (outgoing.mail === undefined) return { ...row, outcome: 'KEPT' };
  try {
    await outgoing.mail({ ...letter, to: [letter.to] });
    return { ...row, outcome: 'SENT' };
  } catch (error) {
    if (attempt < MAX_ATTEMPTS) throw error;
    return { ...row, outcome: 'FAILED', problem: (error as Error).message };
  }
}
