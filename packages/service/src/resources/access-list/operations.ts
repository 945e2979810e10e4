import Type from 'typebox';
import { generalFaults } from '../../api/faults.ts';
import { countOf, type PageRequest, type ReadTx } from '../../store/index.ts';
import { projectCounters } from '../projects/index.ts';
import { operation } from '../services.ts';
import { putEntries, removeEntry } from './changes.ts';
import { type EntryRow, pageOfEntries } from './rows.ts';
import { readEntries, requireEntry } from './rules.ts';
import { AccessListEntry, NewAccessListEntry } from './schema.ts';

function presentEntry(row: EntryRow) {
  return {
    cidrBlock: row.cidr,
    comment: row.comment,
    groupId: row.groupId,
    ...(row.address === undefined ? {} : { ipAddress: row.address }),
    ...(row.deleteAfter === undefined ? {} : { deleteAfterDate: row.deleteAfter }),
  };
}

async function pageOfAccessList(tx: ReadTx, groupId: string, page: PageRequest) {
  const { rows, next } = await pageOfEntries(tx, groupId, page);
  const totalCount = page.includeCount ? await countOf(tx, projectCounters.accessList, groupId) : undefined;
  return { results: rows.map(presentEntry), next, totalCount };
}

export const listAccessList = operation({
  id: 'listProjectIpAccessLists',
  tag: 'Project IP Access List',
  method: 'GET',
  path: '/groups/{groupId}/accessList',
  summary: 'Lists the addresses from which the clusters of a project accept connections.',
  access: 'Project Read Only',
  reply: AccessListEntry,
  list: 'page',
  status: 200,
  reachedFrom: { project: 'accessList' },
  handler: (call) => call.read((tx) => pageOfAccessList(tx, call.params.groupId, call.page)),
});

export const createAccessList = operation({
  id: 'createProjectIpAccessList',
  tag: 'Project IP Access List',
  method: 'POST',
  path: '/groups/{groupId}/accessList',
  summary:
    'Adds entries to the access list of a project or updates existing ones, and returns the whole list.',
  access: 'Project Owner',
  body: Type.Array(NewAccessListEntry, { minItems: 1, maxItems: 400 }),
  reply: AccessListEntry,
  list: 'page',
  status: 201,
  handler(call) {
    const { groupId } = call.params;
    const other = call.body.find((entry) => (entry.groupId ?? groupId) !== groupId);
    if (other?.groupId !== undefined) throw generalFaults.GROUP_MISMATCH(other.groupId);
    return call.write(async (tx) => {
      await putEntries(tx, groupId, readEntries(call.body, tx.now), call.actor);
      return pageOfAccessList(tx, groupId, call.page);
    });
  },
});

export const getAccessListEntry = operation({
  id: 'getProjectIpList',
  tag: 'Project IP Access List',
  method: 'GET',
  path: '/groups/{groupId}/accessList/{entryValue}',
  summary: 'Returns one entry of the access list of a project.',
  access: 'Project Read Only',
  reply: AccessListEntry,
  status: 200,
  handler: (call) => call.read(async (tx) => presentEntry(await requireEntry(tx, call.params))),
});

export const deleteAccessListEntry = operation({
  id: 'deleteProjectIpAccessList',
  tag: 'Project IP Access List',
  method: 'DELETE',
  path: '/groups/{groupId}/accessList/{entryValue}',
  summary:
    'Removes an entry from the access list of a project, and closes connections from the addresses of the entry.',
  access: 'Project Owner',
  status: 204,
  async handler(call) {
    await call.write(async (tx) => removeEntry(tx, await requireEntry(tx, call.params), call.actor));
  },
});
