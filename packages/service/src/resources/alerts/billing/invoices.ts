import { generalFaults } from '../../../api/faults.ts';
import type { ReadTx } from '../../../store/index.ts';
import { pageOf } from '../../../store/index.ts';
import { extension } from '../../services.ts';
import { Invoice, invoiceOf } from './invoice.ts';
import { factsOf } from './rows.ts';

const tag = 'Invoices';
const LIST = '/orgs/{orgId}/invoices';
const access = 'Organization Billing Viewer';

const presentInvoice = async (tx: ReadTx, orgId: string) =>
  invoiceOf(orgId, await factsOf(tx, orgId), tx.now);

export const listInvoices = extension({
  id: 'listInvoices',
  tag,
  method: 'GET',
  path: LIST,
  summary: 'Lists the invoices of an organization: only that of the present month.',
  access,
  reply: Invoice,
  list: 'page',
  status: 200,
  handler: ({ params, page, read }) =>
    read(async (tx) => pageOf([await presentInvoice(tx, params.orgId)], page)),
});

export const listPendingInvoices = extension({
  id: 'listPendingInvoices',
  tag,
  method: 'GET',
  path: `${LIST}/pending`,
  summary: 'Lists the invoices of an organization that are not closed: only that of the present month.',
  access,
  reply: Invoice,
  list: 'page',
  status: 200,
  handler: ({ params, page, read }) =>
    read(async (tx) => pageOf([await presentInvoice(tx, params.orgId)], page)),
});

export const getInvoice = extension({
  id: 'getInvoice',
  tag,
  method: 'GET',
  path: `${LIST}/{invoiceId}`,
  summary: 'Returns the invoice of the present month.',
  access,
  reply: Invoice,
  status: 200,
  handler: ({ params, read }) =>
    read(async (tx) => {
      const invoice = await presentInvoice(tx, params.orgId);
      if (invoice.id !== params.invoiceId)
        throw generalFaults.RESOURCE_NOT_FOUND(`Invoice ${params.invoiceId}`);
      return invoice;
    }),
});
