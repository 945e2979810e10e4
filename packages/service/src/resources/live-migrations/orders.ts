import type { ReadTx, Tx } from '../../store/index.ts';
import { clusterById, connectionTexts } from '../clusters/index.ts';
import type { Services } from '../services.ts';
import { takeSurvey } from './checks/changes.ts';
import { openChecks } from './checks/rows.ts';
import type { AgentRow } from './links/rows.ts';
import type { MigrationOrder, Orders, Report, SurveyOrder } from './protocol.ts';
import { takeProgress } from './runs/changes.ts';
import { guestName, guestPassword } from './runs/guest.ts';
import { type MigrationRow, migrationById, openMigrationsIn } from './runs/rows.ts';
import { sourceOrder } from './wish.ts';

/** Keeps what a migration host tells of its work. */
export async function takeWork(tx: Tx, agent: AgentRow, { surveys, migrations }: Report): Promise<void> {
  for (const survey of surveys) await takeSurvey(tx, agent.orgId, survey);
  for (const progress of migrations) {
    const row = await migrationById(tx, progress.id);
    if (row && isOf(row, agent)) await takeProgress(tx, row, progress, agent.heard);
  }
}

function isOf({ orgId, progress }: MigrationRow, agent: AgentRow): boolean {
  return orgId === agent.orgId && progress.host === agent.host;
}

/** What a migration host is to do now. */
export async function ordersFor(tx: ReadTx, services: Services, agent: AgentRow): Promise<Orders> {
  const running = (await openMigrationsIn(tx, agent.orgId)).filter(
    (row) => row.state === 'RUNNING' && isOf(row, agent),
  );
  const migrations = await Promise.all(running.map((row) => migrationOrder(tx, services, row)));
  return {
    host: agent.host,
    surveys: await surveysFor(tx, services, agent),
    migrations: migrations.filter((order) => order !== undefined),
  };
}

async function surveysFor(tx: ReadTx, { secrets }: Services, agent: AgentRow): Promise<SurveyOrder[]> {
  const isReached = ({
    sourceGroupId,
    sourceName,
    host = agent.host,
  }: {
    sourceGroupId: string;
    sourceName: string;
    host?: string;
  }) =>
    host === agent.host &&
    agent.projects.some(
      ({ projectId, deployments }) =>
        projectId === sourceGroupId && deployments.some(({ name }) => name === sourceName),
    );
  const checks = (await openChecks(tx, agent.orgId)).filter(({ wish }) => isReached(wish));
  return checks.map(({ id, migrationId = id, wish, sealed }) => ({
    id,
    source: sourceOrder(secrets, migrationId, wish, sealed),
  }));
}

async function migrationOrder(
  tx: ReadTx,
  services: Services,
  row: MigrationRow,
): Promise<MigrationOrder | undefined> {
  const cluster = await clusterById(tx, row.clusterId);
  const uri = cluster && connectionTexts(cluster, services.naming).connectionStrings?.standard;
  if (uri === undefined) return undefined;
  const { wish, sealed, progress } = row;
  return {
    id: row.id,
    attempt: progress.attempt,
    source: sourceOrder(services.secrets, row.id, wish, sealed),
    target: { uri, username: guestName(row), password: guestPassword(services.secrets, row) },
    ...(wish.sharding === undefined ? {} : { sharding: wish.sharding }),
    cutover: progress.cutover !== undefined,
  };
}
