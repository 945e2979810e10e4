import { allOf } from '../all-of.ts';
import type { Asked, Kind, Place } from './kind.ts';

interface Shown {
  readonly ipAddress?: string;
  readonly comment?: string;
}

const KIND = 'address';

const put = ({ project }: Place, name: string, comment: string): Asked => ({
  method: 'POST',
  path: `${project}/accessList`,
  body: [{ ipAddress: addressOf(name), comment }],
});

/** The value is the comment of an entry; the name holds the number of an address. */
export const addresses: Kind = {
  name: KIND,
  values: ['bow', 'stern', 'keel'],
  events: {
    made: 'NETWORK_PERMISSION_ENTRY_ADDED',
    changed: 'NETWORK_PERMISSION_ENTRY_UPDATED',
    removed: 'NETWORK_PERMISSION_ENTRY_REMOVED',
    field: 'accessListEntry',
  },
  isPut: true,
  called: addressOf,
  make: put,
  change: put,
  remove: ({ project }, name) => ({ method: 'DELETE', path: `${project}/accessList/${addressOf(name)}` }),
  async list(client, { project }) {
    const entries = await allOf<Shown>(client, `${project}/accessList`);
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
