import { NotYet, step, type TaskContext, type TaskKind } from '../../../tasks/index.ts';
import { clusterById } from '../../clusters/index.ts';
import type { Services } from '../../services.ts';
import { findSource, type Unreported, unreportedAt } from '../links/rules.ts';
import { CHECK, type CheckWork, endCheck } from './changes.ts';
import { findObstacle } from './obstacles.ts';
import { type CheckRow, checkById } from './rows.ts';
import { readTarget } from './target.ts';
import { migrationChecked } from './topics.ts';

/** The pause before the task searches for the survey again, or inspects the cluster again. */
const WAIT_MS = 200;

/**
 * Checks whether a migration is possible. Compares the migration host's survey of the source with the state of the
 * destination.
 */
export const checkMigration: TaskKind<CheckWork, Services> = {
  ...CHECK,
  steps: [
    step({
      name: 'look',
      run: check,
      commit: (tx, { payload }, problem) => ended(tx, payload.checkId, problem),
    }),
  ],
  onFailed: (tx, { payload }, _, reason) =>
    ended(tx, payload.checkId, `The destination cannot be queried: ${reason}.`),
};

async function ended(
  tx: Parameters<typeof endCheck>[0],
  id: string,
  problem: string | undefined,
): Promise<void> {
  const row = await checkById(tx, id);
  if (row?.status !== 'PENDING') return;
  await endCheck(tx, row, problem);
  if (row.migrationId !== undefined)
    await tx.publish(migrationChecked, { migrationId: row.migrationId, problem });
}

/** Returns the obstacle, or undefined if the migration is possible. */
async function check({
  services,
  store,
  payload,
}: TaskContext<Services, CheckWork>): Promise<string | undefined> {
  const { row, source, unreported, cluster } = await store.read(async (tx) => {
    const check = await checkById(tx, payload.checkId);
    const now = services.machine.now();
    return {
      row: check,
      source: check && (await findSource(tx, check.orgId, sourcePlace(check), now)),
      unreported: check ? await unreportedAt(tx, check.orgId, sourcePlace(check), now) : [],
      cluster: await clusterById(tx, payload.clusterId),
    };
  });
  if (row?.status !== 'PENDING') return undefined;
  if (cluster === undefined || cluster.state === 'DELETING') return 'The destination was removed.';
  const network = networkProblem(row);
  if (network !== undefined) return network;
  if (row.problem !== undefined) return row.problem;
  if (source === undefined) return notReported(row, unreported);
  if (row.survey === undefined)
    throw new NotYet(WAIT_MS, 'the migration host has not surveyed the source yet');
  if (cluster.paused) return 'The destination is paused.';
  if (cluster.state === 'CREATING') throw new NotYet(WAIT_MS, 'the destination is being created');
  return findObstacle(row.survey, await readTarget(services, cluster), row.spec);
}

const sourcePlace = ({ spec }: CheckRow) => ({
  projectId: spec.sourceGroupId,
  deployment: spec.sourceName,
  host: spec.host,
});

/**
 * Returns why a migration cannot use the requested network connection. The service offers neither private endpoints nor
 * peering connections for migrations.
 */
function networkProblem({ spec }: CheckRow): string | undefined {
  if (spec.hostnameSchemaType === 'PRIVATE_LINK')
    return `The project of the destination has no private endpoint ${spec.privateLinkId}.`;
  if (spec.hostnameSchemaType === 'VPC_PEERING')
    return 'The project of the destination has no peering connection.';
  return undefined;
}

/** Maximum number of sources that an error message names. */
const MAX_REPORTED = 3;

function notReported({ spec }: CheckRow, unreported: readonly Unreported[]): string {
  const where =
    spec.host === undefined ? 'No migration host' : `The migration host ${spec.host} is not connected, or`;
  const missing = `${where} reports ${spec.host === undefined ? 'a' : 'no'} deployment ${spec.sourceName} in a project ${spec.sourceGroupId}.`;
  const reasons = unreported
    .slice(0, MAX_REPORTED)
    .map(({ host, name, problem }) => `${host} does not report ${name}: ${problem}`);
  return [missing, ...reasons].join(' ');
}
