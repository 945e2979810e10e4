/** Kinds of work on clusters for which faults can be declared, and the kinds of tasks that perform them. */
const kinds = {
  CLUSTER_CHANGE: ['cluster.apply'],
  CLUSTER_REMOVAL: ['cluster.remove'],
  DATABASE_ACCESS: ['cluster.applyAccess'],
  DOWNLOAD: ['backup.pack'],
  EXPORT: ['backup.export'],
  OUTAGE: ['outage.start', 'outage.end'],
  RESTORE: ['backup.restore'],
  SAMPLE_DATA: ['cluster.loadSampleData'],
  SEARCH_INDEX: ['search.apply'],
  SNAPSHOT: ['backup.take'],
} as const;

export type Work = keyof typeof kinds;

export const works = Object.keys(kinds) as readonly Work[];

const byKind = new Map<string, Work>(
  Object.entries(kinds).flatMap(([work, of]) => of.map((kind): [string, Work] => [kind, work as Work])),
);

/** Returns the work that a kind of task performs; undefined if no fault can be declared for it. */
export const workOf = (kind: string): Work | undefined => byKind.get(kind);

export const kindsWithFaults: readonly string[] = [...byKind.keys()];
