import { type ClusterModel, instanceSizeOf } from '../../clusters/index.ts';
import type { Allowance } from './formulas.ts';

const GB = 1024 ** 3;

export function allowanceOf({ spec }: Pick<ClusterModel, 'spec'>): Allowance {
  return {
    connections: instanceSizeOf(spec)?.maxConnections ?? Number.POSITIVE_INFINITY,
    diskBytes: spec.diskSizeGB * GB,
  };
}
