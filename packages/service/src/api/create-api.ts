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
import type { RouteMatch } from './routes/route-table.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Undefined until `receive` has run. */
    exchange: Exchange | undefined;
  }
}

/** The methods of operations. Fastify adds HEAD to GET. */
const METHODS: HTTPMethods[] = ['DELETE', 'GET', 'PATCH', 'POST', 'PUT'];

/**
 * The steps validate and serialize documents themselves; Fastify's own compilers would load 12 MB for nothing.
 */
const noCompilers = { buildValidator: () => unused, buildSerializer: () => unused };

function unused(): never {
  throw new TypeError('A route has a schema, which the steps ignore');
}

/**
 * Creates the HTTP edge for a list of operations, not yet listening. Throws a TypeError for conflicting
 * operations.
 */
export async function createApi<Services extends EdgeServices>(
  options: ApiOptions<Services>,
): Promise<FastifyInstance> {
  const { services, tls, trouble } = options;
  const measured = metrics();
  const mounts = [...(options.mounts ?? []), ...healthMounts(measured, trouble ?? (async () => undefined))];
  const { edge, close } = buildEdge(options as ApiOptions, mounts);
  const hooks = requestHooks(edge, commonHeaders(options.build, tls !== undefined), measured);
  const { requestGate } = options;
  const { machine } = services;
  const make = (listener: RequestListener) => boundedServer({ limits: edge.limits, tls, machine }, listener);
  const serverOf = (listener: RequestListener) => requestGate?.serverFor(make) ?? make(listener);
  const app = Fastify({
    serverFactory: (listener) => serverOf(listener),
    clientErrorHandler: (error, socket) => answerBrokenRequest(machine, error, socket),
    frameworkErrors(_, request, reply) {
      hooks.begin(request, reply);
      reply.raw.once('finish', () => hooks.end(request, reply));
      if (!refuseHead(edge, request, reply)) void refuse(edge, request, reply);
    },
    genReqId: ({ headers }) => requestId(headers['x-request-id']) ?? services.random.uuid(),
    // Requests in flight when the service stops are served as usual.
    return503OnClosing: false,
    schemaController: { compilersFactory: noCompilers },
    routerOptions: { ignoreTrailingSlash: true },
  });
  boundServer(app, edge, tls !== undefined);
  app.decorateRequest('exchange', undefined);
  // The body stays unread: a later step reads it.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_, payload, done) => done(null, payload));
  addHooks(app, edge, hooks);
  addOperations(app, edge, measured);
  for (const mount of mounts) addMount(app, edge, mount);
  app.addHook('onClose', async () => close());
  await app.ready();
  return app;
}

/** Limits connections, before a request is read and at shutdown. */
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

/** Hooks that run before and after every request, matched or not. */
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
 * One route for all operations: 600 routes would cost Fastify 50 ms at startup, while the route table is built
 * once per process. `measured` counts a request as in flight in both `onRequest` and `handler`.
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
      if (!exchange?.admitted) throw new TypeError('A request reached its handler without being admitted');
      const { admitted } = exchange;
      const { served } = admitted;
      const kept = exchange.disconnect === undefined ? edge.responseCache.get(served, exchange) : undefined;
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

function operationOf(edge: Edge, { method, raw }: FastifyRequest): RouteMatch | undefined {
  const path = pathOf(raw.url ?? '/');
  const surface = edge.surfaceOf(path);
  return surface && edge.tableOf(surface.dialect).find(method, path, surface).found;
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

/** Performs the operation, and closes the connection without a response. */
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

/** Closes the connection without a response. */
function hangUp({ raw }: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.hijack();
  raw.socket.destroy();
  return reply;
}

/** The request body, not yet read. */
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
    // Fastify would read a stream to its end for HEAD.
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

/** Reads the body of a request to a mount. It is unauthenticated, so its size limit is lower. */
async function readForm({ limits, budget, services }: Edge, form: Incoming): Promise<string> {
  const bounds = { ...limits, bodyBytes: Math.min(limits.bodyBytes, limits.formBytes) };
  const bytes = await readBody(form, { limits: bounds, machine: services.machine, budget });
  budget.release(bytes.length);
  return textOf(bytes);
}

/** Rejects a request with a malformed head; returns whether it did. */
function refuseHead(edge: Edge, request: FastifyRequest, reply: FastifyReply): boolean {
  const problem = headProblem(request.raw, edge.limits.headerBytes);
  if (problem === undefined) return false;
  request.exchange = receive(edge, request, {});
  sendFault(reply, problem, request.exchange);
  return true;
}

/**
 * Rejects a request that matches no route. The steps run here too, so that callers learn nothing that they may
 * not know.
 */
async function refuse(edge: Edge, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const exchange = receive(edge, request, {});
  request.exchange = exchange;
  const { log } = edge.services;
  const fault = await admit(edge, exchange).then(
    // The steps found an operation, but Fastify could not match the path as written.
    () => generalFaults.RESOURCE_NOT_FOUND(exchange.path),
    (thrown: unknown) => faultOf(thrown, log.child({ requestId: request.id })),
  );
  sendFault(reply, fault, exchange);
}

/** The caller's request id, if it is short and plain enough to be logged. */
function requestId(given: string | readonly string[] | undefined): string | undefined {
  return typeof given === 'string' && /^[\w.:-]{1,128}$/.test(given) ? given : undefined;
}
