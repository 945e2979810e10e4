import { repeat } from '@portolan/foundation/repeat';
import { deleteInBatches } from '../../store/index.ts';
import { type Family, operationsIn } from '../family.ts';
import type { Services } from '../services.ts';
import { migrations } from './migrations.ts';
import * as operations from './operations.ts';
import { deleteMails, mailsBefore } from './rows.ts';
import { mailInvitation, sendMail } from './tasks.ts';

export { invitationOf, resetOf } from './links.ts';
export { expiringSecretNotice, rejectedSecretNotice } from './notices.ts';
export { mailNotice, requestReset } from './tasks.ts';

const CLEANING_INTERVAL_MS = 600_000;
/** How long the service lists mails: 30 days. */
const MAIL_MS = 30 * 86_400_000;

/**
 * Mails to people: invitations, links for new passwords, and notices. The mails of alerts belong to the family
 * `alerts`.
 */
export const family: Family = {
  name: 'mails',
  operations: operationsIn(operations),
  migrations,
  tasks: [sendMail],
  hooks: [mailInvitation],
  background: [deleteOldMails],
};

function deleteOldMails({ store, machine, log }: Services) {
  return repeat({
    machine,
    run: (signal) => {
      const before = machine.now() - MAIL_MS;
      return deleteInBatches(store, signal, (tx, most) => mailsBefore(tx, before, most), deleteMails);
    },
    interval: CLEANING_INTERVAL_MS,
    onError: (error) => log.warn({ reason: error.message }, 'old mails could not be deleted'),
  });
}
