import { listAll } from '../list-all.ts';
import type { ResourceKind, ResourceRequest, Target } from './kind.ts';

interface EntryDocument {
  readonly ipAddress?: string;
  readonly comment?: string;
}

const KIND = 'address';

const put = ({ project }: Target, name: string, comment: string): ResourceRequest => ({
  method: 'POST',
  path: `${project}/accessList`,
  body: [{ ipAddress: addressOf(name), comment }],
});

/**
 * Entries of an access list. The value of an entry is its comment. The address derives from the number in the name.
 */
export const addresses: ResourceKind = {
  name: KIND,
  values: ['bow', 'stern', 'keel'],
  events: {
    created: 'NETWORK_PERMISSION_ENTRY_ADDED',
    changed: 'NETWORK_PERMISSION_ENTRY_UPDATED',
    deleted: 'NETWORK_PERMISSION_ENTRY_REMOVED',
    resourceField: 'accessListEntry',
  },
  isUpsert: true,
  eventNameOf: addressOf,
  create: put,
  change: put,
  delete: ({ project }, name) => ({ method: 'DELETE', path: `${project}/accessList/${addressOf(name)}` }),
  async list(client, { project }) {
    const entries = await listAll<EntryDocument>(client, `${project}/accessList`);
    return entries.map(({ ipAddress = '', comment = '' }) => {
      const [, high, low] = /^10\.9\.(\d+)\.(\d+)$/.exec(ipAddress) ?? [];
      const name = high === undefined ? ipAddress : `${KIND}-${Number(high) * 256 + Number(low)}`;
      return { name, value: comment };
    });
  },
};

function addressOf(name: string): string {
  const number = Number(name.slice(KIND.length + 1));
  return `10.9.${number >> 8}.${number & 255}`;
}
