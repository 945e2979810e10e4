import type { AccessPath } from '../storage/model/access-path.ts';

/** The plan in short: `COLLSCAN`, `IXSCAN { a: 1 }`. */
export function planSummary(path: AccessPath): string {
  switch (path.kind) {
    case 'natural':
      return 'COLLSCAN';
    case 'byId':
      return 'IXSCAN { _id: 1 }';
    case 'index':
      return `IXSCAN ${JSON.stringify(path.index.key.toObject())}`;
    case 'union':
      return path.paths.map(planSummary).join(', ');
  }
}
