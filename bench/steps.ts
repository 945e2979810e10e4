import { documentOf } from '../packages/service/src/api/answer/document.ts';
import { writtenInTurns } from '../packages/service/src/api/answer/written.ts';
import type { Edge } from '../packages/service/src/api/edge.ts';
import type { Admitted, Exchange } from '../packages/service/src/api/exchange.ts';
import { admit, serve } from '../packages/service/src/api/pipeline.ts';
import { noReadOnlyFields } from '../packages/service/src/api/schema/body-fields.ts';
import { answerContextOf } from '../packages/service/src/api/steps/answer-context.ts';
import { callOf } from '../packages/service/src/api/steps/call.ts';
import { checkAddress, identify } from '../packages/service/src/api/steps/credentials.ts';
import { readPath } from '../packages/service/src/api/steps/path.ts';
import { readQuery } from '../packages/service/src/api/steps/query.ts';
import { checkRole } from '../packages/service/src/api/steps/role.ts';
import { negotiate } from '../packages/service/src/api/steps/version.ts';
import { type Figure, median, type Part } from './figure.ts';
import { withEdge } from './steps-edge.ts';

const TURNS = 20_000;
const ROUNDS = 5;

/** The cost of each step of reading a cluster with a Bearer token, without HTTP. */
export const steps: Part = {
  name: 'steps',
  measure: () =>
    withEdge(async (edge, newExchange): Promise<Figure[]> => {
      const exchange = newExchange();
      await admit(edge, exchange);
      if (!exchange.admitted) throw new Error('The measured request was not admitted');
      const timed: Figure[] = [];
      for (const [name, run] of Object.entries(stepsOf(edge, newExchange, exchange, exchange.admitted))) {
        timed.push({ name: `step: ${name}`, value: await microseconds(run), unit: 'µs' });
      }
      return timed;
    }),
};

function stepsOf(edge: Edge, newExchange: () => Exchange, exchange: Exchange, admitted: Admitted) {
  const { route, params, caller, scope, served } = admitted;
  const incoming = { headers: {}, stream: undefined };
  const fields = { body: undefined, readOnly: noReadOnlyFields, unread: [] };
  const call = callOf(edge, exchange, admitted, { fields, read: edge.read });
  let answer: unknown;
  return {
    credentials: () => identify(edge, exchange),
    'access list': () => checkAddress(edge, caller, exchange),
    version: () => negotiate(edge, exchange, { route, surface: served.surface }),
    path: () => readPath(route, exchange.params),
    scope: () => edge.findScope(route, params),
    role: () => checkRole(served, caller, scope, params),
    query: () => readQuery(route, exchange),
    'all steps before the body': () => admit(edge, newExchange()),
    'handler with its database statement': async () => {
      answer = await served.operation.handler(call);
    },
    'links, masks and shape of the document': () =>
      documentOf(served, answer, answerContextOf(edge, exchange, admitted)),
    'document and its serialization': async () => {
      const document = await documentOf(served, answer, answerContextOf(edge, exchange, admitted));
      return document && writtenInTurns(document, 200, exchange.format);
    },
    'all steps from the body to the response': () => serve(edge, exchange, admitted, incoming),
    'lookup of a cached response': () => edge.responseCache.get(served, exchange),
  };
}

/** Measures the median CPU time of this thread for one run. */
async function microseconds(run: () => unknown): Promise<number> {
  const rounds: number[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const before = process.threadCpuUsage();
    for (let turn = 0; turn < TURNS; turn++) {
      const result = run();
      if (result instanceof Promise) await result;
    }
    const { user, system } = process.threadCpuUsage(before);
    // The first round warms up.
    if (round > 0) rounds.push((user + system) / TURNS);
  }
  return median(rounds);
}
