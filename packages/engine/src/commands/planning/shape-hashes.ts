import type { RawDocument } from '../../bson/raw.ts';
import { ServerError } from '../../errors/server-error.ts';
import type { ClusterContext } from '../context/cluster.ts';
import type { Command } from '../context/command.ts';
import type { CommandRequest } from '../context/request.ts';

/** The hashes by which profiles and slow log lines identify a query. */
export interface ShapeHashes {
  readonly queryHash: string;
  readonly planCacheShapeHash: string;
  readonly planCacheKey: string;
  readonly queryShapeHash: string;
}

/**
 * Returns the hashes of a completed command. `getMore` has those of the command that opened its cursor. Returns
 * undefined if the command has no query, or several ones.
 */
export function shapeHashes(
  command: Command,
  request: CommandRequest,
  opening: { readonly command: Command; readonly body: RawDocument } | undefined,
  cluster: ClusterContext,
): ShapeHashes | undefined {
  const { explain, name } = opening?.command ?? command;
  if (explain === 'unsupported') return undefined;
  const inner = opening === undefined ? request : { ...request, name, body: opening.body };
  try {
    const { planShapeHash: plan, queryShapeHash } = explain.explain(inner, cluster, false);
    return { queryHash: plan, planCacheShapeHash: plan, planCacheKey: plan, queryShapeHash };
  } catch (error) {
    // The command failed, or its collection has changed since.
    if (error instanceof ServerError) return undefined;
    throw error;
  }
}
