import { extension } from '../../services.ts';
import { factsOf, putFacts } from './rows.ts';
import { BillingFacts } from './schema.ts';

const common = {
  tag: 'Operator',
  surface: 'operator',
  path: '/orgs/{orgId}/billing',
  access: 'operator',
  reply: BillingFacts,
  status: 200,
} as const;

export const readBilling = extension({
  ...common,
  id: 'getBillingFacts',
  summary: 'Returns the billing data of an organization.',
  method: 'GET',
  handler: (call) => call.read((tx) => factsOf(tx, call.params.orgId)),
});

export const changeBilling = extension({
  ...common,
  id: 'setBillingFacts',
  summary: 'Sets the billing data of an organization. Billing alerts use this data.',
  method: 'PUT',
  body: BillingFacts,
  handler: (call) =>
    call.write(async (tx) => {
      await putFacts(tx, call.params.orgId, call.body);
      return call.body;
    }),
});
