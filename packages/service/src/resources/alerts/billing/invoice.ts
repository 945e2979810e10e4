import { derivedId } from '@portolan/foundation/derived-id';
import Type from 'typebox';
import { entity } from '../../../api/entity.ts';
import { Choice, DateTime, Id, Links, readOnly } from '../../../api/fields.ts';
import type { BillingFacts } from './schema.ts';

const cents = (description: string) => readOnly(Type.Integer({ description }));
const nothing = (description: string) => readOnly(Type.Array(Type.Object({}), { description }));

export const Invoice = entity(
  Type.Object(
    {
      amountBilledCents: cents('Amount of the invoice, which the operator sets; 0 by default.'),
      amountPaidCents: cents('Always 0.'),
      created: readOnly(DateTime({ description: 'Beginning of the month of the invoice.' })),
      creditsCents: cents('Always 0.'),
      endDate: readOnly(DateTime({ description: 'Beginning of the month after that of the invoice.' })),
      id: readOnly(Id()),
      lineItems: nothing('Always empty, since the service does not charge for resources.'),
      linkedInvoices: nothing('Always empty.'),
      links: Links,
      orgId: readOnly(Id()),
      payments: nothing('Always empty.'),
      refunds: nothing('Always empty.'),
      salesTaxCents: cents('Always 0.'),
      startDate: readOnly(DateTime({ description: 'Beginning of the month of the invoice.' })),
      startingBalanceCents: cents('Always 0.'),
      statusName: readOnly(Choice(['PENDING'])),
      subtotalCents: cents('Equals `amountBilledCents`.'),
      updated: readOnly(DateTime({ description: 'Beginning of the month of the invoice.' })),
    },
    {
      description:
        'The invoice of an organization for the present month. The service does not charge for resources.',
    },
  ),
  { name: 'invoice', self: 'getInvoice', params: ({ id = '' }) => ({ invoiceId: id }) },
);

/** Returns the invoice of the month that contains `now`. */
export function invoiceOf(orgId: string, { pendingInvoice = 0 }: BillingFacts, now: Date) {
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()];
  const begin = new Date(Date.UTC(year, month));
  const amount = Math.round(pendingInvoice * 100);
  return {
    ...{ amountBilledCents: amount, amountPaidCents: 0, creditsCents: 0 },
    ...{ salesTaxCents: 0, startingBalanceCents: 0, subtotalCents: amount },
    ...{ created: begin, endDate: new Date(Date.UTC(year, month + 1)), startDate: begin, updated: begin },
    id: derivedId(`invoice ${orgId} ${begin.toISOString()}`),
    ...{ lineItems: [], linkedInvoices: [], payments: [], refunds: [] },
    orgId,
    statusName: 'PENDING' as const,
  };
}
