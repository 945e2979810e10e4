import type { OpenCluster } from './open-cluster.ts';
import { Operation } from './operations.ts';

/** The id of background operations. Requests have greater ids. */
const ID = 0;
const NOTHING = new Uint8Array();

/** Returns an operation for a background write, which no client has requested. */
export function backgroundOperation(cluster: OpenCluster, purpose: string, now: number): Operation {
  const { members } = cluster.topology;
  const member = members.find(({ state }) => state === 'PRIMARY') ?? members[0];
  const caller = { connectionId: 0, remote: '', member: member?.id ?? '' };
  const wire = { requestId: 0, clusterId: cluster.id, caller, sections: NOTHING };
  const operation = new Operation(ID, wire, () => {}, now);
  operation.writes = true;
  operation.purpose = purpose;
  return operation;
}
