import type { RequestListener } from 'node:http';
import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type HTTPMethods,
} from 'fastify';
import { faultOf } from './answer/error.ts';
import { commonHeaders } from './answer/headers.ts';
import { sendAnswer, sendFault, sendMounted } from './answer/send.ts';
import { buildEdge } from './build-edge.ts';
import type { Edge } from './edge.ts';
import { type Admitted, type Exchange, labelOf } from './exchange.ts';
import { generalFaults } from './faults.ts';
import { answerBrokenRequest, refuseTunnels } from './http/broken-request.ts';
import { boundedClosing } from './http/closing.ts';
import { boundConnections } from './http/connections.ts';
import { redirectPlainRequests } from './http/plain-requests.ts';
import { type Incoming, readBody, textOf } from './http/read-body.ts';
import { headProblem, pathOf } from './http/request-line.ts';
import { boundedServer } from './http/server.ts';
import type { Mount } from './mounts.ts';
import { healthMounts } from './observe/health.ts';
import { type Metrics, metrics } from './observe/metrics.ts';
import { logRequest } from './observe/request-log.ts';
import { recordRequest } from './observe/request-trail.ts';
import type { ApiOptions, EdgeServices } from './options.ts';
import { admit, serve } from './pipeline.ts';
import { isTrustedProxy, receive } from './receive.ts';
import { routerPattern } from './routes/path-template.ts';
import type { Found } from './routes/route-table.ts';
import { surfaceOf } from './routes/surface.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Nothing before the request was received. */
    exchange: Exchange | undefined;
  }
}

/** Those of operations, and HEAD, which Fastify answers as it does GET, without the body. */
const METHODS: HTTPMethods[] = ['DELETE', 'GET', 'PATCH', 'POST', 'PUT'];

/** The steps check and write documents themselves; Fastify would load its own compilers, 12 MB, to do nothing. */
const noCompilers = { buildValidator: () => unused, buildSerializer: () => unused };

function unused(): never {
  throw new TypeError('A route was given a schema, which the steps would not know of');
}

/**
 * The HTTP edge over a list of operations, not yet listening. Throws a TypeError for operations that contradict each
 * other. `close` ends it and what it holds open.
 */
export async function createApi<Services extends EdgeServices>(
  options: ApiOptions<Services>,
): Promise<FastifyInstance> {
  const { services, tls, trouble } = options;
  const measured = metrics();
  const mounts = [...(options.mounts ?? []), ...healthMounts(measured, trouble ?? (async () => undefined))];
  const { edge, close } = buildEdge(options as ApiOptions, mounts);
  const hooks = requestHooks(edge, commonHeaders(options.build, tls !== undefined), measured);
  const { front } = options;
  const make = (listener: RequestListener) => boundedServer(edge.limits, tls, listener);
  const serverOf = (listener: RequestListener) => front?.serverFor(make) ?? make(listener);
  const app = Fastify({
    serverFactory: (listener) => serverOf(listener),
    clientErrorHandler: (error, socket) => answerBrokenRequest(services.machine, error, socket),
    frameworkErrors(_, request, reply) {
      hooks.begin(request, reply);
      reply.raw.once('finish', () => hooks.end(request, reply));
      if (!refuseHead(edge, request, reply)) void refuse(edge, request, reply);
    },
    genReqId: ({ headers }) => requestId(headers['x-request-id']) ?? services.random.uuid(),
    // A request that is under way when the service stops is answered as any other.
    return503OnClosing: false,
    schemaController: { compilersFactory: noCompilers },
    routerOptions: { ignoreTrailingSlash: true },
  });
  boundServer(app, edge, tls !== undefined);
  app.decorateRequest('exchange', undefined);
  // The body is left where it is: the steps read it in their order.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_, payload, done) => done(null, payload));
  addHooks(app, edge, hooks);
  addOperations(app, edge, measured);
  for (const mount of mounts) addMount(app, edge, mount);
  app.addHook('onClose', async () => close());
  await app.ready();
  return app;
}

/** What bounds connections themselves, before a request is read from them and when the service ends. */
function boundServer(app: FastifyInstance, edge: Edge, secure: boolean): void {
  const { server } = app;
  const { limits, originOf, services } = edge;
  const { machine } = services;
  if (secure) redirectPlainRequests(server, { limits, machine, originOf });
  refuseTunnels(server, machine);
  boundConnections(server, limits, (address) => isTrustedProxy(edge, address));
  const beginToClose = boundedClosing(server, limits, machine);
  app.addHook('preClose', async () => beginToClose());
}

/** What happens before and after every request, whatever it reaches. */
interface RequestHooks {
  begin(request: FastifyRequest, reply: FastifyReply): void;
  end(request: FastifyRequest, reply: FastifyReply): void;
}

function requestHooks(edge: Edge, headers: Record<string, string>, measured: Metrics): RequestHooks {
  const { log } = edge.services;
  return {
    begin(request, reply) {
      reply.headers(headers).header('x-request-id', request.id);
      if (request.method === 'GET') reply.header('vary', 'Accept-Encoding');
    },
    end({ exchange }, reply) {
      if (exchange === undefined) return;
      measured.observe(labelOf(exchange), reply.statusCode, reply.elapsedTime / 1000);
      logRequest(log, exchange, reply.statusCode, reply.elapsedTime);
      recordRequest(edge, exchange, reply.statusCode, reply.elapsedTime);
    },
  };
}

function addHooks(app: FastifyInstance, edge: Edge, hooks: RequestHooks): void {
  app.addHook('onRequest', (request, reply, done) => {
    hooks.begin(request, reply);
    if (refuseHead(edge, request, reply)) return;
    if (request.is404) void refuse(edge, request, reply);
    else done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    hooks.end(request, reply);
    done();
  });
  app.setErrorHandler((error, request, reply) => {
    const { exchange } = request;
    const context = { requestId: request.id, operation: exchange && labelOf(exchange) };
    return sendFault(reply, faultOf(error, edge.services.log.child(context)), exchange);
  });
}

/**
 * One route for all operations: Fastify takes a start 50 ms for 600 of them, and their table is made once in a process. `measured` knows a request as one under way in both its parts; nothing else comes between them.
 */
function addOperations(app: FastifyInstance, edge: Edge, measured: Metrics): void {
  app.route({
    method: METHODS,
    url: '*',
    async onRequest(request, reply) {
      const found = operationOf(edge, request);
      if (found === undefined) {
        await refuse(edge, request, reply);
        return reply;
      }
      request.exchange = receive(edge, request, { found });
      measured.begin();
      try {
        await admit(edge, request.exchange);
      } finally {
        measured.end();
      }
      return request.exchange.disconnect === 'BEFORE' ? hangUp(request, reply) : undefined;
    },
    handler(request, reply) {
      const { exchange } = request;
      if (!exchange?.admitted) throw new TypeError('A request came to its handler without being admitted');
      const { admitted } = exchange;
      const { served } = admitted;
      const kept = exchange.disconnect === undefined ? edge.kept.find(served, exchange) : undefined;
      if (kept === undefined) {
        const done = exchange.disconnect === undefined ? serveAndSend : serveAndHangUp;
        measured.begin();
        return done(edge, request, reply, exchange, admitted).finally(measured.end);
      }
      sendAnswer(reply, exchange, served, { status: served.shape?.status ?? 200, text: kept });
      return undefined;
    },
  });
}

function operationOf(edge: Edge, { method, raw }: FastifyRequest): Found | undefined {
  const path = pathOf(raw.url ?? '/');
  const surface = surfaceOf(path);
  return surface && edge.table.find(method, path, surface).found;
}

async function serveAndSend(
  edge: Edge,
  request: FastifyRequest,
  reply: FastifyReply,
  exchange: Exchange,
  admitted: Admitted,
): Promise<FastifyReply> {
  const answer = await serve(edge, exchange, admitted, incoming(request, reply));
  return sendAnswer(reply, exchange, admitted.served, answer);
}

/** What the caller asked for is done, and nobody tells them. */
async function serveAndHangUp(
  edge: Edge,
  request: FastifyRequest,
  reply: FastifyReply,
  exchange: Exchange,
  admitted: Admitted,
): Promise<FastifyReply> {
  const { stream } = await serve(edge, exchange, admitted, incoming(request, reply));
  stream?.destroy();
  return hangUp(request, reply);
}

/** Ends the connection without an answer. */
function hangUp({ raw }: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.hijack();
  raw.socket.destroy();
  return reply;
}

/** The body as the connection brings it. */
function incoming({ body, raw, headers }: FastifyRequest, reply: FastifyReply): Incoming {
  const awaited = headers.expect !== undefined && raw.httpVersion === '1.1';
  return {
    headers,
    stream: body === undefined ? undefined : raw,
    proceed: awaited ? () => reply.raw.writeContinue() : undefined,
  };
}

function addMount(app: FastifyInstance, edge: Edge, mount: Mount): void {
  app.route({
    // Left to Fastify, a stream would be read to its end for HEAD.
    method: mount.method === 'GET' ? ['GET', 'HEAD'] : mount.method,
    url: routerPattern(mount.path),
    async handler(request, reply) {
      const exchange = receive(edge, request, { mount });
      request.exchange = exchange;
      const { method, params, query, address } = exchange;
      const { headers } = request;
      const body = await readForm(edge, incoming(request, reply));
      return sendMounted(
        reply,
        exchange,
        await mount.handle({ method, params, query, headers, body, address }),
      );
    },
  });
}

/** What is sent to a mount, by anybody: nothing is asked for there that takes much. */
async function readForm({ limits, room, services }: Edge, form: Incoming): Promise<string> {
  const bounds = { ...limits, bodyBytes: Math.min(limits.bodyBytes, limits.formBytes) };
  const bytes = await readBody(form, { limits: bounds, machine: services.machine, room });
  room.letGo(bytes.length);
  return textOf(bytes);
}

/** Whether the request's head is at fault, and was refused for it. */
function refuseHead(edge: Edge, request: FastifyRequest, reply: FastifyReply): boolean {
  const problem = headProblem(request.raw, edge.limits.headerBytes);
  if (problem === undefined) return false;
  request.exchange = receive(edge, request, {});
  sendFault(reply, problem, request.exchange);
  return true;
}

/** Sends the fault of a request that no route took: also here the steps decide what the caller may learn. */
async function refuse(edge: Edge, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const exchange = receive(edge, request, {});
  request.exchange = exchange;
  const { log } = edge.services;
  const fault = await admit(edge, exchange).then(
    // A path that an operation would take, but not as it was written.
    () => generalFaults.RESOURCE_NOT_FOUND(exchange.path),
    (thrown: unknown) => faultOf(thrown, log.child({ requestId: request.id })),
  );
  sendFault(reply, fault, exchange);
}

/** An id that the caller gave, where it is short and plain enough to be logged. */
function requestId(given: string | readonly string[] | undefined): string | undefined {
  return typeof given === 'string' && /^[\w.:-]{1,128}$/.test(given) ? given : undefined;
}
