import type { Look } from '../../adopted/index.ts';
import { can, missingCapabilities } from '../clusters/index.ts';
import type { AccountRow } from './account-rows.ts';
import type { Adopted } from './rules.ts';

/**
 * Presents a deployment to the operator. `look` is the result of an inspection. It is absent if the deployment does not
 * reply.
 */
export function presentDeployment({ row, cluster, accounts }: Adopted, look?: Look) {
  const { found: known, problem, accessProblem, refusedArguments = [] } = cluster.placement;
  const found = look?.found ?? known;
  const { databases, users } = look ?? {};
  const { product, topology, version, replicaSets, members } = found ?? {};
  return {
    ...(accessProblem !== undefined && { accessProblem }),
    accountProblems: can(cluster, 'users') ? accounts.flatMap(presentProblem) : [],
    created: row.created,
    groupId: cluster.groupId,
    id: cluster.id,
    missingCapabilities: missingCapabilities(cluster),
    name: cluster.name,
    refusedArguments: [...refusedArguments],
    stateName: cluster.state,
    ...(databases && { databases: [...databases] }),
    ...(members && { hosts: members.map(({ host, port }) => `${host}:${port}`) }),
    ...(problem !== undefined && { problem }),
    ...(product !== undefined && { product }),
    ...(replicaSets && { replicaSets: [...replicaSets] }),
    ...(topology && { topology }),
    ...(users && { users: [...users] }),
    ...(version !== undefined && { version }),
  };
}

function presentProblem({ kind, database, name, problem }: AccountRow) {
  return problem === undefined ? [] : [{ databaseName: database, kind, name, problem }];
}
