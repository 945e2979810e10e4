import { wait } from '@portolan/foundation/wait';
import type { Edge } from '../edge.ts';
import type { Admitted, Exchange } from '../exchange.ts';

/** Named in the answer, so that a tester can tell a fault that was declared from one that was not. */
const HEADER = 'x-declared-fault';

/**
 * Lets a request meet what the operator has declared for it. What they themselves ask for meets nothing, nor what the
 * service asks of itself: a seed would otherwise keep it from starting until the fault is gone.
 */
export async function meetObstacle(edge: Edge, exchange: Exchange, admitted: Admitted): Promise<void> {
  const { operation } = admitted.route;
  if (edge.interfere === undefined || operation.surface === 'operator' || exchange.isOwn) return;
  const obstacle = await edge.interfere({
    operation: operation.id,
    tag: operation.tag,
    params: admitted.params,
  });
  if (obstacle === undefined) return;
  exchange.headers[HEADER] = obstacle.by;
  if (obstacle.delayMilliseconds > 0) await wait(edge.services.machine, obstacle.delayMilliseconds);
  exchange.disconnect = obstacle.disconnect;
  if (obstacle.fault !== undefined) throw obstacle.fault;
}
