import { describeDocument } from '../bson/describe.ts';
import type { AccessPath, EmptyPlan } from '../storage/model/access-path.ts';

/** Returns a short text for a plan, such as `COLLSCAN` or `IXSCAN { a: 1 }`. */
export function planSummary(path: AccessPath | EmptyPlan): string {
  if (typeof path === 'string') return path;
  switch (path.kind) {
    case 'natural':
      return 'COLLSCAN';
    case 'byId':
      return path.intervals?.length === 0 ? 'EOF' : 'IXSCAN { _id: 1 }';
    case 'index':
      return `${path.scan ?? 'IXSCAN'} ${describeDocument(path.index.key)}`;
    case 'merge':
    case 'union':
      return path.paths.map(planSummary).join(', ');
  }
}
