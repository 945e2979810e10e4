import Type from 'typebox';

const optional = Type.Optional;

/** What an operator knows of the bills of an organization; a fact that is not given is not known. */
export const BillingFacts = Type.Object(
  {
    creditCardExpires: optional(
      Type.String({
        pattern: '^[0-9]{4}-(0[1-9]|1[0-2])$',
        description: 'The last month of the card: 2026-03.',
      }),
    ),
    dailyBill: optional(Type.Number({ minimum: 0, description: 'What the last whole day has cost.' })),
    pendingInvoice: optional(Type.Number({ minimum: 0, description: 'What the running invoice comes to.' })),
  },
  { description: 'What is known of the bills of an organization.' },
);
export type BillingFacts = Type.Static<typeof BillingFacts>;
