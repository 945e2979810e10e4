/** A directed edge between two parts of the tree. */
export interface Edge {
  readonly from: string;
  readonly to: string;
}

/** The edges that lie on a cycle: from whose end their start can be reached. */
export function cyclicEdges<E extends Edge>(edges: readonly E[]): E[] {
  const next = new Map<string, Set<string>>();
  for (const { from, to } of edges) next.set(from, (next.get(from) ?? new Set()).add(to));
  return edges.filter(({ from, to }) => from !== to && reaches(next, to, from));
}

function reaches(next: ReadonlyMap<string, ReadonlySet<string>>, start: string, goal: string): boolean {
  const seen = new Set<string>();
  const queue = [start];
  for (let part = queue.pop(); part !== undefined; part = queue.pop()) {
    if (part === goal) return true;
    if (seen.has(part)) continue;
    seen.add(part);
    queue.push(...(next.get(part) ?? []));
  }
  return false;
}
