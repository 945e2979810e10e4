import Type from 'typebox';

const optional = Type.Optional;

/** Billing facts of an organization as an operator sets them; an absent fact is unknown. */
export const BillingFacts = Type.Object(
  {
    creditCardExpires: optional(
      Type.String({
        pattern: '^[0-9]{4}-(0[1-9]|1[0-2])$',
        description: 'The month in which the credit card expires: 2026-03.',
      }),
    ),
    dailyBill: optional(Type.Number({ minimum: 0, description: 'The cost of the last full day.' })),
    pendingInvoice: optional(Type.Number({ minimum: 0, description: 'The amount of the pending invoice.' })),
  },
  { description: 'The billing facts of an organization.' },
);
export type BillingFacts = Type.Static<typeof BillingFacts>;
