import Type from 'typebox';
import { type AddressEntry, singleAddress } from '../../../access/index.ts';
import { generalFaults } from '../../../api/faults.ts';
import type { Call } from '../../../api/operation.ts';
import type { Tx } from '../../../store/index.ts';
import { operation, type Services } from '../../services.ts';
import { addBlocks, MAX_ENTRIES, removeBlock } from '../addresses/changes.ts';
import { findEntryNamed, pageOfAddresses } from '../addresses/lists.ts';
import { type EntryBody, readBlocks } from '../addresses/rules.ts';
import { changeContext } from '../changes.ts';
import { requireAccount, requireOwnAccount } from './rules.ts';
import { AccountAddressEntry, ProjectAccountAddressEntry } from './schema.ts';

function presentEntry({ cidr, count, created, lastUsed, lastUsedAddress }: AddressEntry) {
  return {
    cidrBlock: cidr,
    createdAt: created,
    ipAddress: singleAddress(cidr),
    lastUsedAddress,
    lastUsedAt: lastUsed,
    requestCount: count,
  };
}

const reading = { reply: AccountAddressEntry, list: 'page', status: 200 } as const;
/**
 * The schema permits more entries than the limit. `addBlocks` then rejects a list above the limit with the error code
 * for this case.
 */
const bodyLimit = { maxItems: 2 * MAX_ENTRIES };
const adding = { ...reading, body: Type.Array(AccountAddressEntry, bodyLimit) } as const;
const readingInProject = { ...reading, reply: ProjectAccountAddressEntry } as const;
const addingInProject = {
  ...readingInProject,
  body: Type.Array(ProjectAccountAddressEntry, bodyLimit),
} as const;

export const listServiceAccountAddresses = operation({
  id: 'listServiceAccountAccessList',
  tag: 'Service Accounts',
  method: 'GET',
  path: '/orgs/{orgId}/serviceAccounts/{clientId}/accessList',
  versions: { '2024-08-05': 'same', '2025-03-12': 'same' },
  ...reading,
  summary:
    'Returns the access list of a service account: the addresses from which it may call the API. An empty list allows all addresses, or none if the organization requires access lists.',
  access: 'Organization Member',
  reachedFrom: { serviceAccount: 'accessList' },
  handler: (call) =>
    call.read(async (tx) => {
      const account = await requireAccount(tx, call.params.orgId, call.params.clientId);
      return pageOfAddresses(tx, account, call.page, presentEntry);
    }),
});

export const addServiceAccountAddresses = operation({
  id: 'createServiceAccountAccessList',
  tag: 'Service Accounts',
  method: 'POST',
  path: '/orgs/{orgId}/serviceAccounts/{clientId}/accessList',
  versions: { '2024-08-05': 'same', '2025-03-12': 'same' },
  ...adding,
  summary: 'Adds entries to the access list of a service account, and returns the whole list.',
  access: 'Organization Owner',
  handler: (call) => call.write((tx) => addAddresses(tx, call)),
});

export const removeServiceAccountAddress = operation({
  id: 'deleteServiceAccountAccessListEntry',
  tag: 'Service Accounts',
  method: 'DELETE',
  path: '/orgs/{orgId}/serviceAccounts/{clientId}/accessList/{ipAddress}',
  versions: { '2024-08-05': 'same', '2025-03-12': 'same' },
  summary: 'Removes an entry from the access list of a service account.',
  access: 'Organization Owner',
  status: 204,
  handler: (call) => call.write((tx) => removeAddress(tx, call)),
});

export const listProjectServiceAccountAddresses = operation({
  id: 'listProjectServiceAccountAccessList',
  tag: 'Service Accounts',
  method: 'GET',
  path: '/groups/{groupId}/serviceAccounts/{clientId}/accessList',
  versions: { '2024-08-05': 'same', '2025-03-12': 'same' },
  ...readingInProject,
  summary:
    'Returns the access list of a service account of a project: the addresses from which it may call the API.',
  access: 'Project Read Only',
  reachedFrom: { projectServiceAccount: 'accessList' },
  handler({ params, page, read, scope }) {
    return read(async (tx) => {
      const orgId = scope?.kind === 'group' ? scope.orgId : '';
      const account = await requireAccount(tx, orgId, params.clientId, { kind: 'group', id: params.groupId });
      return pageOfAddresses(tx, account, page, presentEntry);
    });
  },
});

export const addProjectServiceAccountAddresses = operation({
  id: 'createProjectServiceAccountAccessList',
  tag: 'Service Accounts',
  method: 'POST',
  path: '/groups/{groupId}/serviceAccounts/{clientId}/accessList',
  versions: { '2024-08-05': 'same', '2025-03-12': 'same' },
  ...addingInProject,
  summary: 'Adds entries to the access list of a service account of a project, and returns the whole list.',
  access: 'Project Owner',
  handler: (call) => call.write((tx) => addAddresses(tx, call)),
});

export const removeProjectServiceAccountAddress = operation({
  id: 'deleteProjectServiceAccountAccessListEntry',
  tag: 'Service Accounts',
  method: 'DELETE',
  path: '/groups/{groupId}/serviceAccounts/{clientId}/accessList/{ipAddress}',
  versions: { '2024-08-05': 'same', '2025-03-12': 'same' },
  summary: 'Removes an entry from the access list of a service account of a project.',
  access: 'Project Owner',
  status: 204,
  handler: (call) => call.write((tx) => removeAddress(tx, call)),
});

type OnAccount = { readonly clientId: string };

async function addAddresses(tx: Tx, call: Call<Services, OnAccount, unknown, EntryBody[]>) {
  const account = await requireOwnAccount(tx, call);
  await addBlocks(tx, changeContext(call), account, readBlocks(call.body));
  return pageOfAddresses(tx, account, call.page, presentEntry);
}

async function removeAddress(
  tx: Tx,
  call: Call<Services, OnAccount & { readonly ipAddress: string }>,
): Promise<void> {
  const account = await requireOwnAccount(tx, call);
  const { caller, remoteAddress } = call;
  const { ipAddress } = call.params;
  const entry = await findEntryNamed(tx, account, ipAddress);
  if (!entry) throw generalFaults.RESOURCE_NOT_FOUND(`Access list entry with address ${ipAddress}`);
  await removeBlock(tx, { ...changeContext(call), caller, remoteAddress }, account, entry.cidr);
}
