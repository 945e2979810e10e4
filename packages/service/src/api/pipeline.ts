import { networkOf, type Scope } from '../access/index.ts';
import { StoreError } from '../store/index.ts';
import { documentOf } from './answer/document.ts';
import { isLarge } from './answer/json-pieces.ts';
import type { Answer } from './answer/response.ts';
import type { TextPieces } from './answer/text-pieces.ts';
import { writtenInTurns } from './answer/written.ts';
import type { Edge } from './edge.ts';
import type { Admitted, Exchange } from './exchange.ts';
import { generalFaults } from './faults.ts';
import { SHARE_BYTES, SMALL_BYTES, WORKED_ON_BYTES } from './http/body-budget.ts';
import type { Incoming } from './http/read-body.ts';
import { type Call, Download, LargeReply } from './operation.ts';
import type { Fields } from './schema/body-fields.ts';
import { answerContextOf } from './steps/answer-context.ts';
import { type Received, readDocument, readFields, receiveBody } from './steps/body.ts';
import { callOf } from './steps/call.ts';
import { checkAddress, identify } from './steps/credentials.ts';
import { injectFault } from './steps/inject-fault.ts';
import { readPath } from './steps/path.ts';
import { readQuery } from './steps/query.ts';
import { limitRate } from './steps/rate.ts';
import { checkReadOnly } from './steps/read-only.ts';
import { readingOf } from './steps/reading.ts';
import { checkRole } from './steps/role.ts';
import { findOperation } from './steps/route.ts';
import { checkStream, negotiate } from './steps/version.ts';

/**
 * This file serves one request, step by step. Each step throws the fault that ends the request. The order
 * matters: a caller who fails one step learns nothing that later steps would reveal.
 */

/** Performs the steps before the body is read. */
export async function admit(edge: Edge, exchange: Exchange): Promise<void> {
  const caller = await identify(edge, exchange); // credentials
  exchange.caller = caller;
  checkAddress(edge, caller, exchange); // access list
  const found = findOperation(edge, exchange); // route and method
  const { route } = found;
  const served = negotiate(edge, exchange, found); // resource version
  exchange.served = served;
  Object.assign(exchange.headers, served.headers);
  const params = readPath(route, found.params); // path ids
  const scope = await edge.findScope(route, params); // project or organization
  checkRole(served, caller, scope, params); // role
  if (route.rateLimited) await limitRate(edge, exchange, { caller, scope }); // rate limit
  if (served.shape === undefined) throw generalFaults.OPERATION_NOT_AVAILABLE(route.operation.id);
  const { query, page } = await readQuery(route, exchange); // query
  checkStream(served, exchange); // media type of streams
  const owner = ownerOf(exchange, scope);
  exchange.admitted = { caller, route, served, params, scope, owner, query, page };
  await injectFault(edge, exchange, exchange.admitted); // declared faults
}

/** Returns the organization that a request concerns, else that of the caller, else the address of the caller. */
function ownerOf({ caller, address }: Exchange, scope: Scope | undefined): string {
  if (scope?.kind === 'group') return scope.orgId;
  return scope?.id ?? (caller?.orgId || networkOf(address));
}

/** Performs the steps from reading the body to the response. */
export async function serve(
  edge: Edge,
  exchange: Exchange,
  admitted: Admitted,
  incoming: Incoming,
): Promise<Answer> {
  const { owner } = admitted;
  await edge.replies.enter(owner); // large replies
  try {
    const received = await receiveBody(edge, admitted, incoming); // body
    if (received === undefined)
      return await answerTo(edge, exchange, admitted, await readFields(admitted.served, undefined));
    return await answerToBody(edge, exchange, admitted, received);
  } finally {
    edge.replies.leave(owner);
  }
}

async function answerToBody(
  edge: Edge,
  exchange: Exchange,
  admitted: Admitted,
  received: Received,
): Promise<Answer> {
  const { owner } = admitted;
  exchange.received = received.bytes;
  const { length } = received.bytes;
  try {
    // Leave the budget's queue before calling the handler. The handler may wait for a database, and other bodies can
    // be read meanwhile.
    const fields = await edge.budget.run(length, owner, () => fieldsOf(edge, admitted, received));
    exchange.unread = fields.unread;
    return await answerTo(edge, exchange, admitted, fields);
  } finally {
    edge.budget.release(length, owner);
  }
}

async function fieldsOf(edge: Edge, { served }: Admitted, received: Received): Promise<Fields> {
  return readFields(served, await readDocument(edge, received)); // body syntax, body fields
}

async function answerTo(edge: Edge, exchange: Exchange, admitted: Admitted, fields: Fields): Promise<Answer> {
  const { served } = admitted;
  const reading = readingOf(edge, served); // track the tables read, for the response cache
  const call = callOf(edge, exchange, admitted, { fields, read: reading.read });
  await checkReadOnly(edge, exchange, admitted, { fields, call }); // read-only fields
  exchange.onlyReads = served.operation.onlyReads?.(call.body);
  const answer = await handled(edge, admitted, call); // handler
  if (answer instanceof Download) {
    return { status: served.shape?.status ?? 200, text: undefined, stream: answer.stream };
  }
  if (answer instanceof LargeReply) return largeAnswer(edge, exchange, admitted, answer);
  const made = await madeAnswer(edge, exchange, admitted, answer);
  const { unchanged } = reading;
  if (made.text !== undefined && unchanged?.() === true)
    edge.responseCache.set(served, exchange, { text: made.text, unchanged });
  return made;
}

/** Makes a reply. Large replies are made in turns, and their memory counts until they are sent. */
async function madeAnswer(edge: Edge, exchange: Exchange, admitted: Admitted, answer: unknown) {
  if (!isLarge(answer)) return answerOf(edge, exchange, admitted, answer);
  const { owner } = admitted;
  return edge.replies.run(WORKED_ON_BYTES, owner, async () => {
    const held = edge.replies.hold(owner);
    exchange.heldReply = held;
    const made = await answerOf(edge, exchange, admitted, answer);
    held.resize(made.text?.length ?? 0);
    return made;
  });
}

async function largeAnswer(
  edge: Edge,
  exchange: Exchange,
  admitted: Admitted,
  { bytes, make }: LargeReply,
): Promise<Answer> {
  const made = async () => answerOf(edge, exchange, admitted, await make());
  // Never return 503 for a small reply. It may belong to a write, which has already been executed, and clients repeat a
  // request after 503. Only reads have large replies.
  if (bytes !== undefined && bytes <= SMALL_BYTES) return await made();
  const { owner } = admitted;
  const early = bytes === undefined ? undefined : edge.replies.reserve(bytes, owner);
  try {
    return await edge.replies.run(bytes ?? WORKED_ON_BYTES, owner, async () => {
      const held = early ?? edge.replies.reserve(0, owner);
      // The listener frees this memory after it has sent the response.
      exchange.heldReply = held;
      const answer = await made();
      held.resize(answer.text?.length ?? 0);
      return answer;
    });
  } catch (error) {
    early?.release();
    throw error;
  }
}

async function answerOf(
  edge: Edge,
  exchange: Exchange,
  admitted: Admitted,
  answer: unknown,
): Promise<Answer & { readonly text: string | TextPieces | undefined }> {
  const { served } = admitted;
  const at = answerContextOf(edge, exchange, admitted);
  const shown = await documentOf(served, answer, at); // links, masking, version shape
  if (shown === undefined) return { status: 204, text: undefined };
  const status = served.shape?.status ?? 200;
  // The response to a write is never refused, because the write has been executed.
  const limit = served.operation.method === 'GET' ? { most: SHARE_BYTES } : {};
  const text = await writtenInTurns(shown, status, exchange.format, limit); // envelope, pretty printing
  return { status, text, ...(status === 201 ? { location: selfOf(shown.value) } : {}) };
}

/**
 * Runs the handler. If the handler fails because the project or organization does not exist, throws 404. This happens
 * if another instance has deleted it less than a second ago, while this instance still caches it.
 */
async function handled(edge: Edge, { route, params, served }: Admitted, call: Call): Promise<unknown> {
  try {
    return await served.operation.handler(call);
  } catch (error) {
    const lost = error instanceof StoreError && error.kind === 'foreignKey';
    if (lost) await edge.findScope.confirm(route, params);
    throw error;
  }
}

/** Returns the URL of the created entity. */
function selfOf(entity: unknown): string | undefined {
  const { links } = entity as { links?: readonly { href: string; rel: string }[] };
  return links?.find(({ rel }) => rel === 'self')?.href;
}
