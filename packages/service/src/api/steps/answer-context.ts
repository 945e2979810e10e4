import type { AnswerContext } from '../answer/document.ts';
import type { Edge } from '../edge.ts';
import type { Admitted, Exchange } from '../exchange.ts';

/** Collects everything on which the response depends, apart from the handler's result. */
export function answerContextOf(edge: Edge, exchange: Exchange, admitted: Admitted): AnswerContext {
  const { origin, path, target } = exchange;
  const { surface } = admitted.served;
  return {
    links: edge.tableOf(surface.dialect).links,
    at: {
      surface,
      base: origin + surface.base,
      publicUrl: edge.services.publicUrl,
      params: admitted.params,
    },
    list: { url: origin + path, query: target.slice(path.length + 1) },
    page: admitted.page,
  };
}
