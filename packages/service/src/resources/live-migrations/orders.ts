import type { ReadTx, Tx } from '../../store/index.ts';
import { clusterById, connectionTexts } from '../clusters/index.ts';
import { authorityOf } from '../deployments/index.ts';
import type { Services } from '../services.ts';
import { recordSurvey } from './checks/changes.ts';
import { openChecks } from './checks/rows.ts';
import type { AgentRow } from './links/rows.ts';
import type { MigrationOrder, Orders, Report, SurveyOrder } from './protocol.ts';
import { sourceOrder } from './request.ts';
import { migrationUserName, migrationUserPassword } from './runs/access.ts';
import { recordProgress } from './runs/changes.ts';
import { type MigrationRow, migrationById, openMigrationsIn } from './runs/rows.ts';

/** Stores the results of surveys, and the progress of migrations, that a report contains. */
export async function recordWork(tx: Tx, agent: AgentRow, { surveys, migrations }: Report): Promise<void> {
  for (const survey of surveys) await recordSurvey(tx, agent.orgId, survey);
  for (const progress of migrations) {
    const row = await migrationById(tx, progress.id);
    if (row && isOf(row, agent)) await recordProgress(tx, row, progress, agent.heard);
  }
}

function isOf({ orgId, progress }: MigrationRow, agent: AgentRow): boolean {
  return orgId === agent.orgId && progress.host === agent.host;
}

/** Returns the orders for a migration host. */
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
  const checks = (await openChecks(tx, agent.orgId)).filter(({ spec }) => isReached(spec));
  return checks.map(({ id, migrationId = id, spec, sealed }) => ({
    id,
    source: sourceOrder(secrets, migrationId, spec, sealed),
  }));
}

async function migrationOrder(
  tx: ReadTx,
  services: Services,
  row: MigrationRow,
): Promise<MigrationOrder | undefined> {
  const cluster = await clusterById(tx, row.clusterId);
  const uri = cluster && connectionTexts(cluster, services.naming).connectionStrings?.standard;
  if (cluster === undefined || uri === undefined) return undefined;
  const { spec, sealed, progress } = row;
  const { secrets } = services;
  const caCertificate = await authorityOf(tx, secrets, cluster.id);
  return {
    id: row.id,
    attempt: progress.attempt,
    source: sourceOrder(secrets, row.id, spec, sealed),
    target: {
      ...{ uri, username: migrationUserName(row), password: migrationUserPassword(secrets, row) },
      ...(caCertificate === undefined ? {} : { caCertificate }),
    },
    ...(spec.sharding === undefined ? {} : { sharding: spec.sharding }),
    cutover: progress.cutover !== undefined,
  };
}
