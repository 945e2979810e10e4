import { generalFaults } from '../../../api/faults.ts';
import type { PageRange, ReadTx } from '../../../store/index.ts';
import { pageOf } from '../../../store/index.ts';
import { extension } from '../../services.ts';
import { Invoice, invoiceOf } from './invoice.ts';
import { factsOf } from './rows.ts';

const tag = 'Invoices';
const LIST = '/orgs/{orgId}/invoices';
const access = 'Organization Billing Viewer';

/** The list of an organization contains only the invoice of the present month, which is not closed. */
const listed = { tag, method: 'GET', access, reply: Invoice, list: 'page', status: 200 } as const;

const presentInvoice = async (tx: ReadTx, orgId: string) =>
  invoiceOf(orgId, await factsOf(tx, orgId), tx.now);

const pageOfInvoices = async (tx: ReadTx, orgId: string, page: PageRange) =>
  pageOf([await presentInvoice(tx, orgId)], page);

export const listInvoices = extension({
  id: 'listInvoices',
  ...listed,
  path: LIST,
  summary: 'Lists the invoices of an organization: only the invoice of the present month.',
  handler: ({ params, page, read }) => read((tx) => pageOfInvoices(tx, params.orgId, page)),
});

export const listPendingInvoices = extension({
  id: 'listPendingInvoices',
  ...listed,
  path: `${LIST}/pending`,
  summary: 'Lists the open invoices of an organization: only the invoice of the present month.',
  handler: ({ params, page, read }) => read((tx) => pageOfInvoices(tx, params.orgId, page)),
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
