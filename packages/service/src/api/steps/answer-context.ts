import type { AnswerContext } from '../answer/document.ts';
import type { Edge } from '../edge.ts';
import type { Admitted, Exchange } from '../exchange.ts';
import { basePaths } from '../routes/surface.ts';

/** Collects what the response depends on besides the handler's result. */
export function answerContextOf(edge: Edge, exchange: Exchange, admitted: Admitted): AnswerContext {
  const { surface = 'v2', origin, path, target } = exchange;
  return {
    links: edge.table.links,
    at: {
      surface,
      base: origin + basePaths[surface],
      publicUrl: edge.services.publicUrl,
      params: admitted.params,
    },
    list: { url: origin + path, query: target.slice(path.length + 1) },
    page: admitted.page,
  };
}
