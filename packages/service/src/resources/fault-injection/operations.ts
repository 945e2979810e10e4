import { assertCan, requireCluster } from '../clusters/index.ts';
import { extension } from '../services.ts';
import { declareFault, endAllFaults, endFault } from './changes.ts';
import { declaredFaultFaults } from './faults.ts';
import { allFaults, type FaultRow } from './rows.ts';
import { checkRule, requireFault } from './rules.ts';
import { DeclaredFault } from './schema.ts';

const common = { tag: 'Operator', surface: 'operator', access: 'operator' } as const;

const present = ({ rule, ...row }: FaultRow) => ({ ...rule, ...row });

export const listFaults = extension({
  ...common,
  id: 'listFaults',
  summary: 'Lists the declared faults.',
  method: 'GET',
  path: '/faults',
  reply: DeclaredFault,
  list: 'array',
  status: 200,
  handler: ({ read }) => read(async (tx) => (await allFaults(tx)).map(present)),
});

export const createFault = extension({
  ...common,
  id: 'createFault',
  summary:
    'Declares a fault, so that clients can be tested against it. From now on, the selected requests, tasks or database commands fail or are delayed.',
  method: 'POST',
  path: '/faults',
  body: DeclaredFault,
  reply: DeclaredFault,
  status: 201,
  async handler(call) {
    const { body, services, write } = call;
    checkRule(body, services.operationNames);
    return present(
      await write(async (tx) => {
        const { groupId = '', clusterName = '' } = body;
        if (body.wire) assertCan(await requireCluster(tx, { groupId, clusterName }), 'wireFaults');
        return declareFault(tx, services, body);
      }),
    );
  },
});

export const getFault = extension({
  ...common,
  id: 'getFault',
  summary: 'Returns a declared fault, with the number of calls that it has affected.',
  method: 'GET',
  path: '/faults/{faultId}',
  reply: DeclaredFault,
  status: 200,
  handler: ({ params, read }) => read(async (tx) => present(await requireFault(tx, params.faultId))),
});

export const deleteFault = extension({
  ...common,
  id: 'deleteFault',
  summary: 'Deletes a declared fault.',
  method: 'DELETE',
  path: '/faults/{faultId}',
  status: 204,
  handler: ({ params, services, write }) =>
    write(async (tx) => endFault(tx, services, await requireFault(tx, params.faultId))),
});

export const deleteFaults = extension({
  ...common,
  id: 'deleteFaults',
  summary: 'Deletes all declared faults.',
  method: 'DELETE',
  path: '/faults',
  status: 204,
  handler: ({ services, write }) => write((tx) => endAllFaults(tx, services)),
});

export const forceElection = extension({
  ...common,
  id: 'forceElection',
  summary:
    'Makes all primaries of a cluster step down at once, so that each replica set elects another primary.',
  method: 'POST',
  path: '/groups/{groupId}/clusters/{clusterName}/elections',
  status: 204,
  async handler({ params, services, read }) {
    const cluster = await read((tx) => requireCluster(tx, params));
    assertCan(cluster, 'failover');
    const { id, host, name, state, paused } = cluster;
    if (state !== 'IDLE' || paused) throw declaredFaultFaults.ELECTION_NOT_POSSIBLE(name);
    services.log.warn({ cluster: id }, 'forcing an election');
    try {
      await services.engines.at(host).failover(id);
    } catch (error) {
      services.log.warn({ cluster: id, reason: String(error) }, 'the election failed');
      throw declaredFaultFaults.ELECTION_NOT_POSSIBLE(name);
    }
  },
});
