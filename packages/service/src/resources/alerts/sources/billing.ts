import { factsByProject } from '../billing/rows.ts';
import type { BillingFacts } from '../billing/schema.ts';
import { baseUnits } from '../catalogue/units.ts';
import type { Finding } from '../lifecycle/changes.ts';
import { isBeyond } from './comparison.ts';
import type { StateSource } from './states.ts';

const amounts = {
  DAILY_BILL_OVER_THRESHOLD: ({ dailyBill }: BillingFacts) => dailyBill,
  PENDING_INVOICE_OVER_THRESHOLD: ({ pendingInvoice }: BillingFacts) => pendingInvoice,
};

/** Findings about the billing facts that operators set for organizations. An unknown fact opens no alert. */
export const billing: StateSource = {
  eventTypes: ['CREDIT_CARD_ABOUT_TO_EXPIRE', ...Object.keys(amounts)],
  look: async (tx) => (await factsByProject(tx)).flatMap((found) => findingsOf(found, tx.now)),
};

function findingsOf(
  { groupId, orgId, facts }: { groupId: string; orgId: string; facts: BillingFacts },
  now: Date,
): Finding[] {
  const target = { key: `org:${orgId}`, fields: {}, subject: {}, clusterId: undefined };
  const expires = isAboutToExpire(facts, now);
  return [
    { groupId, eventType: 'CREDIT_CARD_ABOUT_TO_EXPIRE', target, evaluate: () => (expires ? {} : 'ok') },
    ...Object.entries(amounts).map(
      ([eventType, read]): Finding => ({
        groupId,
        eventType,
        target,
        evaluate({ document: { threshold } }) {
          const number = read(facts);
          if (number === undefined || threshold === undefined) return 'ok';
          return isBeyond(threshold, 'raw', number)
            ? { currentValue: { number, units: baseUnits.raw } }
            : 'ok';
        },
      }),
    ),
  ];
}

/** Whether the card expires this month or has expired. */
function isAboutToExpire({ creditCardExpires }: BillingFacts, now: Date): boolean {
  return creditCardExpires !== undefined && new Date(`${creditCardExpires}-01T00:00:00Z`) <= now;
}
