import { posix } from 'node:path';
import type { Finding } from '../finding.ts';

/** One import. Paths are relative to the root. */
export interface Edge {
  readonly from: string;
  readonly to: string;
}

/**
 * Finds circles of sibling folders at any depth. An import connects two sibling folders: the first ones in which the
 * paths of the two files differ. Each circle is reported once, from its first folder, with one import for each step.
 */
export function folderCircles(edges: readonly Edge[]): Finding[] {
  const graphs = new Map<string, Map<string, Map<string, Edge>>>();
  for (const edge of edges) {
    const siblings = siblingsOf(edge);
    if (siblings === undefined) continue;
    const graph = graphs.get(siblings.parent) ?? new Map<string, Map<string, Edge>>();
    const steps = graph.get(siblings.from) ?? new Map<string, Edge>();
    graphs.set(siblings.parent, graph.set(siblings.from, steps.set(siblings.to, edge)));
  }
  return [...graphs].flatMap(([parent, graph]) => circlesOf(parent, graph));
}

function siblingsOf({ from, to }: Edge): { parent: string; from: string; to: string } | undefined {
  const [a, b] = [posix.dirname(from).split('/'), posix.dirname(to).split('/')];
  const parting = a.findIndex((folder, depth) => folder !== b[depth]);
  const [own, other] = [a[parting], b[parting]];
  if (own === undefined || other === undefined) return undefined;
  return { parent: a.slice(0, parting).join('/'), from: own, to: other };
}

function circlesOf(parent: string, graph: ReadonlyMap<string, ReadonlyMap<string, Edge>>): Finding[] {
  const reported = new Set<string>();
  return [...graph.keys()].toSorted().flatMap((start) => {
    const way = reported.has(start) ? undefined : wayBack(start, graph);
    if (way === undefined) return [];
    for (const folder of way) reported.add(folder);
    const edges = way.slice(1).map((folder, step) => graph.get(way[step] ?? '')?.get(folder));
    const imports = edges.map((edge) => `${edge?.from} imports ${edge?.to}`).join('; ');
    return [{ file: parent, message: `circle of folders: ${way.join(' → ')} (${imports})` }];
  });
}

/** Returns the shortest path along imports that leads from a folder back to it. */
function wayBack(
  start: string,
  graph: ReadonlyMap<string, ReadonlyMap<string, unknown>>,
): string[] | undefined {
  const ways: string[][] = [[start]];
  const seen = new Set<string>();
  for (const way of ways) {
    for (const next of graph.get(way.at(-1) ?? '')?.keys() ?? []) {
      if (next === start) return [...way, start];
      if (seen.has(next)) continue;
      seen.add(next);
      ways.push([...way, next]);
    }
  }
  return undefined;
}
