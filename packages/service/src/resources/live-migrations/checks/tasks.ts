import { NotYet, type TaskContext, type TaskKind } from '../../../tasks/index.ts';
import { clusterById } from '../../clusters/index.ts';
import type { Services } from '../../services.ts';
import { findSource, type Unreported, unreportedAt } from '../links/rules.ts';
import { checked } from '../runs/changes.ts';
import { CHECK, type CheckWork, endCheck } from './changes.ts';
import { judge } from './judge.ts';
import { type CheckRow, checkById } from './rows.ts';
import { readTarget } from './target.ts';

/** Until the migration host has looked, or a cluster can be asked. */
const WAIT_MS = 200;

/** Looks whether a migration is possible, with the eyes of the migration host. */
export const checkMigration: TaskKind<CheckWork, Services> = {
  ...CHECK,
  steps: [
    {
      name: 'look',
      run: look,
      async commit(tx, { payload }, result) {
        await ended(tx, payload.checkId, (result as string | null | undefined) ?? undefined);
      },
    },
  ],
  onFailed: (tx, { payload }, _, reason) =>
    ended(tx, payload.checkId, `The destination cannot be asked: ${reason}.`),
};

async function ended(
  tx: Parameters<typeof endCheck>[0],
  id: string,
  problem: string | undefined,
): Promise<void> {
  const row = await checkById(tx, id);
  if (row?.status !== 'PENDING') return;
  await endCheck(tx, row, problem);
  if (row.migrationId !== undefined) await checked(tx, row.migrationId, problem);
}

/** Answers what stands in the way. */
async function look({
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
  if (cluster === undefined || cluster.state === 'DELETING') return 'The destination is gone.';
  const network = networkProblem(row);
  if (network !== undefined) return network;
  if (row.problem !== undefined) return row.problem;
  if (source === undefined) return notReported(row, unreported);
  if (row.survey === undefined) throw new NotYet(WAIT_MS, 'the migration host has not looked yet');
  if (cluster.paused) return 'The destination is paused.';
  if (cluster.state === 'CREATING') throw new NotYet(WAIT_MS, 'the destination is being made');
  return judge(row.survey, await readTarget(services, cluster), row.wish);
}

const sourcePlace = ({ wish }: CheckRow) => ({
  projectId: wish.sourceGroupId,
  deployment: wish.sourceName,
  host: wish.host,
});

/** There are neither private endpoints nor peering connections. */
function networkProblem({ wish }: CheckRow): string | undefined {
  if (wish.hostnameSchemaType === 'PRIVATE_LINK')
    return `The project of the destination has no private endpoint ${wish.privateLinkId}.`;
  if (wish.hostnameSchemaType === 'VPC_PEERING')
    return 'The project of the destination has no peering connection.';
  return undefined;
}

/** As many sources of others are told as may be the one that is meant. */
const MOST_TOLD = 3;

function notReported({ wish }: CheckRow, unreported: readonly Unreported[]): string {
  const where =
    wish.host === undefined ? 'No migration host' : `The migration host ${wish.host} is not there, or`;
  const missing = `${where} reports ${wish.host === undefined ? 'a' : 'no'} deployment ${wish.sourceName} in a project ${wish.sourceGroupId}.`;
  const reasons = unreported
    .slice(0, MOST_TOLD)
    .map(({ host, name, problem }) => `${host} does not report ${name}: ${problem}`);
  return [missing, ...reasons].join(' ');
}
