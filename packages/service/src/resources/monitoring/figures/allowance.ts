import { type ClusterModel, instanceSizeOf } from '../../clusters/index.ts';
import type { Allowance } from './formulas.ts';

const GB = 1024 ** 3;

export function allowanceOf({ spec, placement }: Pick<ClusterModel, 'spec' | 'placement'>): Allowance {
  const { found } = placement;
  if (found !== undefined) {
    const { machine, maxConnections: connections = Number.POSITIVE_INFINITY } = found;
    return { connections, diskBytes: machine?.diskBytes ?? Number.POSITIVE_INFINITY };
  }
  return {
    connections: instanceSizeOf(spec)?.maxConnections ?? Number.POSITIVE_INFINITY,
    diskBytes: spec.diskSizeGB * GB,
  };
}
