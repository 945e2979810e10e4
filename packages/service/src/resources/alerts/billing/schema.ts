import Type from 'typebox';

const optional = Type.Optional;

/** Billing facts of an organization, set by an operator. An absent fact is unknown. */
export const BillingFacts = Type.Object(
  {
    creditCardExpires: optional(
      Type.String({
        pattern: '^[0-9]{4}-(0[1-9]|1[0-2])$',
        description: 'Month in which the credit card expires, such as `2026-03`.',
      }),
    ),
    dailyBill: optional(
      Type.Number({
        minimum: 0,
        description:
          'Cost of the last full day, as an amount in any currency. Alert configurations for `DAILY_BILL_OVER_THRESHOLD` compare this amount with their threshold.',
      }),
    ),
    pendingInvoice: optional(
      Type.Number({
        minimum: 0,
        description:
          'Amount of the pending invoice, in any currency. Alert configurations for `PENDING_INVOICE_OVER_THRESHOLD` compare this amount with their threshold.',
      }),
    ),
  },
  { description: 'The billing data of an organization, which the operator sets.' },
);
export type BillingFacts = Type.Static<typeof BillingFacts>;
