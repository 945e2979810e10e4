import { ServerError } from '../../errors/server-error.ts';
import type { Command } from '../context/command.ts';
import { command } from '../shared/define.ts';
import { addressOf, membersOfShard } from '../shared/members.ts';
import { withoutData } from '../shared/presets.ts';
import { ownMember, stateChange } from './own-member.ts';

const replSetInitiate = command({
  name: 'replSetInitiate',
  ...withoutData,
  database: 'admin',
  privileges: () => [{ action: 'replSetConfigure' }],
  fields: { replSetInitiate: 'any', force: 'any' },
  run(_args, { caller }, cluster) {
    ownMember(caller.member, cluster);
    throw new ServerError('AlreadyInitialized', 'already initialized');
  },
});

const replSetMaintenance = command({
  name: 'replSetMaintenance',
  ...stateChange,
  fields: { replSetMaintenance: 'truth!' },
  run({ replSetMaintenance: wanted }, { caller }, cluster) {
    if (ownMember(caller.member, cluster).state === 'PRIMARY') {
      throw new ServerError('NotSecondary', "primaries can't modify maintenance mode");
    }
    if (!wanted) throw new ServerError('OperationFailed', 'already out of maintenance mode');
    throw new ServerError('CommandNotSupported', 'members have no maintenance mode');
  },
});

const replSetSyncFrom = command({
  name: 'replSetSyncFrom',
  ...stateChange,
  fields: { replSetSyncFrom: 'string!' },
  run({ replSetSyncFrom: source }, { caller }, cluster) {
    const own = ownMember(caller.member, cluster);
    if (own.state === 'PRIMARY') throw new ServerError('NotSecondary', "primaries don't sync");
    if (source === addressOf(own)) throw new ServerError('InvalidOptions', 'I cannot sync from myself');
    const members = membersOfShard(cluster.topology.members, own.shard);
    if (members.every((member) => addressOf(member) !== source)) {
      throw new ServerError('NodeNotFound', `Could not find member "${source}" in replica set`);
    }
    // All members share their data, so the source makes no difference.
    return { syncFromRequested: source };
  },
});

const replSetAbortPrimaryCatchUp = command({
  name: 'replSetAbortPrimaryCatchUp',
  ...stateChange,
  fields: { replSetAbortPrimaryCatchUp: 'any' },
  run(_args, { caller }, cluster) {
    if (ownMember(caller.member, cluster).state !== 'PRIMARY') {
      throw new ServerError('NotWritablePrimary', 'The node is not the primary');
    }
    throw new ServerError('IllegalOperation', 'The node is not in catch-up mode.');
  },
});

export const memberStates: readonly Command[] = [
  replSetInitiate,
  replSetMaintenance,
  replSetSyncFrom,
  replSetAbortPrimaryCatchUp,
];
