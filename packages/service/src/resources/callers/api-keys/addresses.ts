import Type from 'typebox';
import { type AddressEntry, singleAddress } from '../../../access/index.ts';
import type { ReadTx } from '../../../store/index.ts';
import { operation } from '../../services.ts';
import { addBlocks, MAX_ENTRIES, removeBlock } from '../addresses/changes.ts';
import { findEntryNamed, pageOfAddresses } from '../addresses/lists.ts';
import { readBlocks } from '../addresses/rules.ts';
import { changeContext } from '../changes.ts';
import { callerFaults } from '../faults.ts';
import { requireKey } from './rules.ts';
import { ApiKeyAddressEntry } from './schema.ts';

function presentEntry({ cidr, count, created, lastUsed, lastUsedAddress }: AddressEntry) {
  return { cidrBlock: cidr, count, created, ipAddress: singleAddress(cidr), lastUsed, lastUsedAddress };
}

export const listApiKeyAddresses = operation({
  id: 'listApiKeyAccessListsEntries',
  tag: 'Programmatic API Keys',
  method: 'GET',
  path: '/orgs/{orgId}/apiKeys/{apiUserId}/accessList',
  summary:
    'Returns the access list of an API key: the addresses from which the key may be used. An empty list allows all addresses, or none if the organization requires access lists.',
  access: 'Organization Member',
  reply: ApiKeyAddressEntry,
  list: 'page',
  status: 200,
  reachedFrom: { apiKey: 'accessList' },
  handler: (call) =>
    call.read(async (tx) => {
      const key = await requireKey(tx, call.params.orgId, call.params.apiUserId);
      return pageOfAddresses(tx, key, call.page, presentEntry);
    }),
});

export const addApiKeyAddresses = operation({
  id: 'createApiKeyAccessList',
  tag: 'Programmatic API Keys',
  method: 'POST',
  path: '/orgs/{orgId}/apiKeys/{apiUserId}/accessList',
  summary: 'Adds entries to the access list of an API key, and returns the whole list.',
  access: 'Organization Owner',
  // The schema permits more entries than the limit. `addBlocks` then rejects a list above the limit with the error code
  // for this case.
  body: Type.Array(ApiKeyAddressEntry, { maxItems: 2 * MAX_ENTRIES }),
  reply: ApiKeyAddressEntry,
  list: 'page',
  status: 200,
  handler: (call) =>
    call.write(async (tx) => {
      const key = await requireKey(tx, call.params.orgId, call.params.apiUserId);
      await addBlocks(tx, changeContext(call), key, readBlocks(call.body));
      return pageOfAddresses(tx, key, call.page, presentEntry);
    }),
});

export const getApiKeyAddress = operation({
  id: 'getApiKeyAccessList',
  tag: 'Programmatic API Keys',
  method: 'GET',
  path: '/orgs/{orgId}/apiKeys/{apiUserId}/accessList/{ipAddress}',
  summary: 'Returns one entry of the access list of an API key.',
  access: 'Organization Member',
  reply: ApiKeyAddressEntry,
  status: 200,
  handler: (call) =>
    call.read(async (tx) => {
      const { entry } = await requireEntry(tx, call.params);
      return presentEntry(entry);
    }),
});

export const removeApiKeyAddress = operation({
  id: 'deleteApiKeyAccessListEntry',
  tag: 'Programmatic API Keys',
  method: 'DELETE',
  path: '/orgs/{orgId}/apiKeys/{apiUserId}/accessList/{ipAddress}',
  summary: 'Removes an entry from the access list of an API key.',
  access: 'Organization Owner',
  status: 204,
  async handler(call) {
    await call.write(async (tx) => {
      const { caller, remoteAddress } = call;
      const { key, entry } = await requireEntry(tx, call.params);
      await removeBlock(tx, { ...changeContext(call), caller, remoteAddress }, key, entry.cidr);
    });
  },
});

/** Returns the entry that a path names, and the key to which it belongs. Throws `API_KEY_ACCESS_LIST_NOT_FOUND`. */
async function requireEntry(
  tx: ReadTx,
  at: { readonly orgId: string; readonly apiUserId: string; readonly ipAddress: string },
) {
  const key = await requireKey(tx, at.orgId, at.apiUserId);
  const entry = await findEntryNamed(tx, key, at.ipAddress);
  if (!entry) throw callerFaults.API_KEY_ACCESS_LIST_NOT_FOUND(at.ipAddress, at.apiUserId);
  return { key, entry };
}
