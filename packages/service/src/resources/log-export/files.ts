import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Engine } from '@portolan/engine/interface/calls';
import type { ObjectStore } from '../../objects/object-store.ts';
import { type ClusterModel, can, hostName, type PlacedMember } from '../clusters/index.ts';
import type { HostNaming } from '../services.ts';

/** The period of an export. Both times are included. */
export interface Period {
  readonly from: Date;
  readonly to: Date;
}

export interface ExportedCluster {
  readonly cluster: ClusterModel;
  readonly orgId: string;
  readonly naming: HostNaming;
  readonly engine: Pick<Engine, 'logs'>;
}

export interface LogTarget {
  readonly bucket: Pick<ObjectStore, 'put'>;
  readonly prefixPath: string;
}

const packed = promisify(gzip);

/**
 * Writes one compressed file for each log that has lines in the period; every node has its own logs. Adds the log to
 * `written` when its file is complete. A repeated export skips the logs in `written`: the nodes may have dropped old
 * lines in the meantime, so a second file could contain fewer lines.
 */
export async function exportPeriod(
  exported: ExportedCluster,
  { bucket, prefixPath }: LogTarget,
  period: Period,
  written: Set<string>,
): Promise<void> {
  const { cluster, engine } = exported;
  for (const member of cluster.placement.members) {
    for (const { name, log } of logsOf(cluster, member)) {
      const own = `${member.id}/${name}`;
      if (written.has(own)) continue;
      const lines = engine.logs(cluster.id, member.id, log, period.from.getTime(), period.to.getTime());
      const content = await buffer(lines);
      if (content.length === 0) continue;
      await bucket.put(keyOf(exported, { prefixPath, member, name, period }), await packed(content));
      written.add(own);
    }
  }
}

/** Returns the logs of a member. Their names are those in the paths of the API. */
function logsOf(cluster: ClusterModel, { id }: PlacedMember) {
  const program = id.startsWith('router-') ? 'mongos' : 'mongodb';
  const main = { name: program, log: 'db' } as const;
  const audit = { name: `${program}-audit-log`, log: 'db-audit-log' } as const;
  return can(cluster, 'auditing') ? [main, audit] : [main];
}

interface ExportedFile {
  readonly prefixPath: string;
  readonly member: PlacedMember;
  readonly name: string;
  readonly period: Period;
}

/**
 * Returns the key of a file. The key contains the beginning of the period but not its end. A repeated export therefore
 * replaces the files of an interrupted export.
 */
function keyOf(
  { cluster, orgId, naming }: ExportedCluster,
  { prefixPath, member, name, period }: ExportedFile,
): string {
  const process = `${hostName(cluster, member, naming)}_${member.port}`;
  const [day = '', time = ''] = period.from.toISOString().split('T');
  const file = `${time.replace(/[:.]/g, '')}.log.gz`;
  return [...foldersOf(prefixPath), orgId, cluster.groupId, cluster.name, process, name, day, file].join('/');
}

/** Returns the folders of a prefix, without empty names. */
export const foldersOf = (prefixPath: string): string[] =>
  prefixPath.split('/').filter((part) => part !== '');
