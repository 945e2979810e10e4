import Type from 'typebox';
import { type AddressEntry, singleAddress } from '../../../access/index.ts';
import { operation } from '../../services.ts';
import { addBlocks, entryNamed, listed, readBlocks, removeBlock } from '../addresses/addresses.ts';
import { recordFor } from '../events.ts';
import { callerFaults } from '../faults.ts';
import { tag } from './organization.ts';
import { existing } from './rules.ts';
import { ApiKeyAddressEntry } from './schema.ts';

const all = '/orgs/{orgId}/apiKeys/{apiUserId}/accessList';
const one = `${all}/{ipAddress}` as const;

function present({ cidr, count, created, lastUsed, lastUsedAddress }: AddressEntry) {
  return { cidrBlock: cidr, count, created, ipAddress: singleAddress(cidr), lastUsed, lastUsedAddress };
}

export const listApiKeyAddresses = operation({
  id: 'listApiKeyAccessListsEntries',
  summary: 'Lists the addresses from which an API key may be used; none: from everywhere.',
  tag,
  method: 'GET',
  path: all,
  access: 'Organization Member',
  reply: ApiKeyAddressEntry,
  list: 'page',
  status: 200,
  reachedFrom: { apiKey: 'accessList' },
  handler: (call) =>
    call.read(async (tx) => {
      const key = await existing(tx, call.params.orgId, call.params.apiUserId);
      return listed(tx, key.id, call.page, present);
    }),
});

export const addApiKeyAddresses = operation({
  id: 'createApiKeyAccessList',
  summary: 'Adds addresses from which an API key may be used; answers the whole list.',
  tag,
  method: 'POST',
  path: all,
  access: 'Organization Owner',
  body: Type.Array(ApiKeyAddressEntry),
  reply: ApiKeyAddressEntry,
  list: 'page',
  status: 200,
  handler: (call) =>
    call.write(async (tx) => {
      const key = await existing(tx, call.params.orgId, call.params.apiUserId);
      const blocks = readBlocks(call.body);
      await addBlocks(tx, key.id, blocks);
      for (const accessListEntry of blocks) {
        await recordFor(tx, call, 'API_KEY_ACCESS_LIST_ENTRY_ADDED', key, { accessListEntry });
      }
      return listed(tx, key.id, call.page, present);
    }),
});

export const getApiKeyAddress = operation({
  id: 'getApiKeyAccessList',
  summary: 'Answers one entry of the access list of an API key.',
  tag,
  method: 'GET',
  path: one,
  access: 'Organization Member',
  reply: ApiKeyAddressEntry,
  status: 200,
  handler: (call) =>
    call.read(async (tx) => {
      const { orgId, apiUserId, ipAddress } = call.params;
      const key = await existing(tx, orgId, apiUserId);
      const entry = await entryNamed(tx, key.id, ipAddress);
      if (!entry) throw callerFaults.API_KEY_ACCESS_LIST_NOT_FOUND(ipAddress, apiUserId);
      return present(entry);
    }),
});

export const removeApiKeyAddress = operation({
  id: 'deleteApiKeyAccessListEntry',
  summary: 'Removes an entry from the access list of an API key.',
  tag,
  method: 'DELETE',
  path: one,
  access: 'Organization Owner',
  status: 204,
  async handler(call) {
    await call.write(async (tx) => {
      const { orgId, apiUserId, ipAddress } = call.params;
      const key = await existing(tx, orgId, apiUserId);
      const entry = await entryNamed(tx, key.id, ipAddress);
      if (!entry) throw callerFaults.API_KEY_ACCESS_LIST_NOT_FOUND(ipAddress, apiUserId);
      await removeBlock(tx, call, key.id, entry.cidr);
      const details = { accessListEntry: entry.cidr };
      await recordFor(tx, call, 'API_KEY_ACCESS_LIST_ENTRY_DELETED', key, details);
    });
  },
});
