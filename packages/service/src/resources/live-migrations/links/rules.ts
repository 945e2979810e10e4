import { canonicalBlock } from '../../../access/index.ts';
import { generalFaults } from '../../../api/faults.ts';
import type { ReadTx } from '../../../store/index.ts';
import type { ReportedDeployment, ReportedProject } from '../protocol.ts';
import { type AgentRow, agentsOf } from './rows.ts';

/** Migration hosts report about every second. A host that has not reported for this long counts as disconnected. */
export const SILENCE_MS = 30_000;

export function isConnected({ heard }: AgentRow, machineNow: number): boolean {
  return machineNow - heard <= SILENCE_MS;
}

/** Parses addresses into distinct canonical blocks. */
export function readAddresses(texts: readonly string[]): string[] {
  const blocks = texts.map((text) => {
    const block = canonicalBlock(text);
    if (block === undefined)
      throw generalFaults.INVALID_IP_ADDRESS_OR_CIDR_NOTATION(text).at('accessListIps');
    return block;
  });
  return [...new Set(blocks)];
}

/** A source deployment, and the migration host that reports it. */
export interface Source {
  readonly agent: AgentRow;
  readonly deployment: ReportedDeployment;
}

/** Identifies a source: its project, its name, and optionally the migration host to use. */
interface SourcePlace {
  readonly projectId: string;
  readonly deployment: string;
  readonly host?: string | undefined;
}

/** Finds a source deployment; undefined if no connected migration host reports it. */
export async function findSource(
  tx: ReadTx,
  orgId: string,
  at: SourcePlace,
  machineNow: number,
): Promise<Source | undefined> {
  for (const { agent, project } of await reportsOn(tx, orgId, at, machineNow)) {
    const deployment = project.deployments.find(({ name }) => name === at.deployment);
    if (deployment) return { agent, deployment };
  }
  return undefined;
}

/**
 * A source that the configuration of a migration host contains, but that the migration host cannot reach or describe.
 */
export interface Unreported {
  readonly host: string;
  readonly name: string;
  readonly problem: string;
}

/**
 * Explains why a deployment may be missing. Returns the problems of the source with this name or, if there are none,
 * the problems of all sources in the project.
 */
export async function unreportedAt(
  tx: ReadTx,
  orgId: string,
  at: SourcePlace,
  machineNow: number,
): Promise<Unreported[]> {
  const reports = await reportsOn(tx, orgId, at, machineNow);
  const all = reports.flatMap(({ agent: { host }, project: { unreported = [] } }) =>
    unreported.map((one) => ({ host, ...one })),
  );
  const named = all.filter(({ name }) => name === at.deployment);
  return named.length > 0 ? named : all;
}

/** Returns the reports of connected migration hosts about a project. */
async function reportsOn(
  tx: ReadTx,
  orgId: string,
  { projectId, host }: SourcePlace,
  machineNow: number,
): Promise<ReadonlyArray<{ readonly agent: AgentRow; readonly project: ReportedProject }>> {
  const agents = await agentsOf(tx, orgId);
  const there = agents.filter(
    (one) => isConnected(one, machineNow) && (host === undefined || host === one.host),
  );
  return there.flatMap((agent) =>
    agent.projects
      .filter((project) => project.projectId === projectId)
      .map((project) => ({ agent, project })),
  );
}

/**
 * Returns the projects that connected migration hosts report. Each project occurs once, with the hosts that reach it.
 */
export function availableProjects(agents: readonly AgentRow[], machineNow: number) {
  const there = agents.filter((agent) => isConnected(agent, machineNow));
  const reported = there.flatMap(({ host, projects }) => projects.map((project) => ({ host, project })));
  return [...Map.groupBy(reported, ({ project }) => project.projectId).values()].map((entries) => ({
    deployments: deploymentsIn(entries.map(({ project }) => project)),
    migrationHosts: entries.map(({ host }) => host),
    name: entries[0]?.project.name ?? '',
    projectId: entries[0]?.project.projectId ?? '',
  }));
}

function deploymentsIn(projects: readonly ReportedProject[]): ReportedDeployment[] {
  const all = projects.flatMap(({ deployments }) => deployments);
  return [...new Map(all.map((deployment) => [deployment.name, deployment])).values()];
}
