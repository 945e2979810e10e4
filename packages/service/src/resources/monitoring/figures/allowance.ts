import { type ClusterModel, connectionLimitOf, diskBytesOf } from '../../clusters/index.ts';
import type { Allowance } from './formulas.ts';

export function allowanceOf(cluster: Pick<ClusterModel, 'spec' | 'placement'>): Allowance {
  return { connections: connectionLimitOf(cluster), diskBytes: diskBytesOf(cluster) };
}
