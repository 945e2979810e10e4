import type { RawDocument } from '../../bson/raw.ts';
import type { ClusterContext } from '../context/cluster.ts';
import type { Command } from '../context/command.ts';
import type { CommandRequest } from '../context/request.ts';

/** The hashes that identify a query in profiles and slow log lines. */
export interface ShapeHashes {
  readonly queryHash: string;
  readonly planCacheShapeHash: string;
  readonly planCacheKey: string;
  readonly queryShapeHash: string;
}

/** Maximum size of a command with hashes, in bytes. The hashes require planning the command a second time. */
const MAX_HASHED = 16_384;

/**
 * Returns the hashes of a completed command. `getMore` has the hashes of the command that opened its cursor.
 * Returns undefined if the command is large, has no query, or has several queries.
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
  if (inner.body.length > MAX_HASHED) return undefined;
  try {
    const { planShapeHash: plan, planCacheKey, queryShapeHash } = explain.explain(inner, cluster, false);
    return { queryHash: plan, planCacheShapeHash: plan, planCacheKey, queryShapeHash };
  } catch {
    // The command has failed, or can no longer be planned. It is already complete, so no error may replace
    // its reply.
    return undefined;
  }
}
