import { setTimeout } from 'node:timers/promises';
import type { Reply } from '../http.ts';
import { type DocumentSet, loadDocuments } from '../openapi.ts';
import { type Dice, dice } from '../random.ts';
import type { Setup } from '../setups.ts';
import { type DescribedOperation, describedIn } from './document.ts';
import { hostile } from './hostile.ts';
import { type GeneratedRequest, type RequestKind, Requests } from './requests.ts';
import { newStage, type Stage } from './stage.ts';

export interface RunOptions {
  readonly setup: Setup;
  readonly documents: DocumentSet;
  readonly seed: number;
  readonly requests: number;
  readonly concurrency?: number;
  /** Called before each request. Returns false to end the run. */
  readonly shouldContinue?: () => boolean | Promise<boolean>;
}

export interface RunReport {
  sent: number;
  /** How many responses had each status. */
  readonly statuses: Map<number, number>;
  /** Operations that have succeeded at least once. */
  readonly succeeded: Set<string>;
  /** Rejected requests that the document describes as valid, by operation and code, with an example of each. */
  readonly refused: Map<string, { count: number; example: string }>;
  /** Responses that must not occur: unexpected 5xx, and responses that their document does not describe. */
  readonly findings: string[];
}

/**
 * Skipped operations. They change service time, declared faults or the service's state, which affects all other
 * responses. After a few attempts to log in or to request mails, the service rejects those of all tests.
 */
const leftOut = new Set([
  ...['changeClock', 'createFault', 'deleteFault', 'deleteFaults'],
  ...['resetState', 'restoreState', 'saveState'],
  ...['consoleAskForReset', 'consoleLogin'],
]);
const makesCluster = new Set(['createCluster', 'createFlexCluster', 'createServerlessInstance']);
const kinds = ['valid', 'valid', 'valid', 'near', 'near', 'nonsense', 'hostile', 'hostile'] as const;
const AGAIN_MS = 100;
/** The limit of 16 KiB for headers, without the headers that the client adds. */
const LARGE_HEAD = 12_000;
/**
 * A request that takes longer counts as an error. Only the time during which this process runs counts, since the
 * machine may be suspended.
 */
const HUNG_SECONDS = 120;
const SECOND_MS = 1000;
/** Limit for clusters, since each occupies memory and ports until the end of the run. */
const MAX_CLUSTERS = 12;
/**
 * After this many requests, a new organization is used. This keeps lists short, so that generated requests find
 * existing resources.
 */
const REQUESTS_PER_STAGE = 1500;
/** Errors after which the organization cannot be used any more, since a request has locked out its callers. */
const lockouts = new Set(['ORG_REQUIRES_ACCESS_LIST', 'IP_ADDRESS_NOT_ON_ACCESS_LIST', 'ORG_NOT_FOUND']);

/** Reads the OpenAPI documents of a running service. */
export function documentsOf(setup: Setup): Promise<DocumentSet> {
  return loadDocuments((path) => setup.account.get(path));
}

/** Sends requests generated from the OpenAPI documents, and checks every response. */
export async function runGenerated(options: RunOptions): Promise<RunReport> {
  const run = new Run(options);
  await run.work();
  return run.report;
}

class Run {
  readonly report: RunReport = {
    sent: 0,
    statuses: new Map(),
    succeeded: new Set(),
    refused: new Map(),
    findings: [],
  };
  readonly #options: RunOptions;
  readonly #dice: Dice;
  readonly #operations: readonly (readonly DescribedOperation[])[];
  #stage: Promise<Stage>;
  #left = REQUESTS_PER_STAGE;
  #clusters = 0;

  constructor(options: RunOptions) {
    this.#options = options;
    this.#dice = dice(options.seed);
    this.#operations = options.documents.all.map((document) =>
      describedIn(document).filter(({ id }) => !leftOut.has(id)),
    );
    this.#stage = newStage(options.setup);
    // Avoid an unhandled rejection. Code that awaits the promise still gets the error.
    this.#stage.catch(() => {});
  }

  async work(): Promise<void> {
    const { concurrency = 8 } = this.#options;
    await Promise.all(Array.from({ length: concurrency }, () => this.#worker()));
  }

  async #worker(): Promise<void> {
    const { requests, shouldContinue = () => true } = this.#options;
    while ((await shouldContinue()) && this.report.sent < requests) {
      this.report.sent++;
      if (--this.#left === 0) this.#restage();
      const stage = await this.#staged();
      if (stage === undefined) continue;
      const request = this.#choose(stage);
      if (request.method === 'GET' || !request.target.includes(stage.keyId)) await this.#send(request, stage);
    }
  }

  /** Creates a new organization for the requests. Returns undefined if that failed; the next call tries again. */
  async #staged(): Promise<Stage | undefined> {
    const making = this.#stage;
    try {
      return await making;
    } catch (error) {
      this.report.findings.push(String(error));
      await setTimeout(AGAIN_MS);
      if (this.#stage === making) this.#restage();
      return undefined;
    }
  }

  #restage(): void {
    this.#left = REQUESTS_PER_STAGE;
    this.#stage = newStage(this.#options.setup);
    this.#stage.catch(() => {});
  }

  /** Chooses a request. Half of all requests are for the newest version. */
  #choose({ pools }: Stage): GeneratedRequest {
    const edition =
      this.#dice.below(2) === 0 ? this.#operations.length - 1 : this.#dice.below(this.#operations.length);
    const operations = this.#operations[edition] ?? [];
    const operation = operations[this.#dice.below(operations.length)] as DescribedOperation;
    const chosen = kinds[this.#dice.below(kinds.length)];
    const isFull = makesCluster.has(operation.id) && this.#clusters >= MAX_CLUSTERS;
    const kind: RequestKind = isFull ? 'nonsense' : (chosen ?? 'valid');
    const request = new Requests(this.#dice, pools).of(operation, kind);
    return kind === 'hostile' ? hostile(request, this.#dice) : request;
  }

  async #send(request: GeneratedRequest, stage: Stage): Promise<void> {
    const { method, target, accept, body, headers = {}, operation } = request;
    const client = operation.template.startsWith('/operator') ? stage.operator : stage.client;
    const sentMethod = method === 'GET' && this.#dice.below(20) === 0 ? 'HEAD' : method;
    try {
      const sent = client.send(sentMethod, target, body, { headers: { accept, ...headers }, accept });
      this.#look(request, await withinTime(sent), stage);
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error);
      if (!isCutShort(request, problem)) this.#find(request, problem);
    }
  }

  #look(request: GeneratedRequest, reply: Reply, { pools }: Stage): void {
    const { statuses, succeeded } = this.report;
    const { status } = reply;
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    const code = reply.headers.get('x-error-code') ?? '';
    if (status >= 500 && code !== 'OPERATION_NOT_AVAILABLE') this.#find(request, `${status} ${reply.text}`);
    if (lockouts.has(code) || status === 401) this.#left = 1;
    if (request.operation.id === 'deleteProject' && status < 300) this.#left = 1;
    if (status === 400 && request.kind === 'valid') this.#refuse(request, code, reply.text);
    if (status >= 300 || reply.text === '') return;
    succeeded.add(request.operation.id);
    if (makesCluster.has(request.operation.id)) this.#clusters++;
    const document = JSON.parse(reply.text);
    pools.learn(document);
    for (const [name, value] of placesIn(document, this.#options.documents)) pools.add(name, value);
  }

  #refuse(request: GeneratedRequest, code: string, text: string): void {
    const key = `${request.operation.id} ${code}`;
    const known = this.report.refused.get(key);
    if (known) known.count++;
    else this.report.refused.set(key, { count: 1, example: `${described(request)}\n      ${text}` });
  }

  #find(request: GeneratedRequest, problem: string): void {
    this.report.findings.push(`${described(request)}\n    ${problem.slice(0, 2000)}`);
  }
}

function described({ method, target, accept, headers = {}, body = '' }: GeneratedRequest): string {
  return `${method} ${target} (${accept}) ${JSON.stringify(headers)} ${String(body).slice(0, 2000)}`;
}

/** Whether the service responded and closed the connection before it had received the whole oversized head. */
function isCutShort({ target, headers = {} }: GeneratedRequest, problem: string): boolean {
  const isLarge = target.length + JSON.stringify(headers).length > LARGE_HEAD;
  return isLarge && /socket hang up|ECONNRESET|EPIPE/.test(problem);
}

async function withinTime(sent: Promise<Reply>): Promise<Reply> {
  const abort = new AbortController();
  const wait = async () => {
    for (let second = 0; second < HUNG_SECONDS; second++) await setTimeout(SECOND_MS, undefined, abort);
    throw new Error(`no answer within ${HUNG_SECONDS} s`);
  };
  const limit = wait();
  try {
    return await Promise.race([sent, limit]);
  } finally {
    abort.abort();
    limit.catch(() => {});
  }
}

/**
 * Finds path parameters in the `self` links of entities, by comparing the links with the templates of the documents.
 */
function placesIn(document: unknown, { legacy, newest }: DocumentSet): [name: string, value: string][] {
  const found: [string, string][] = [];
  JSON.parse(JSON.stringify(document), (_, value) => {
    if (value?.rel !== 'self' || typeof value.href !== 'string') return value;
    const { pathname } = new URL(value.href);
    const { template } = (pathname.includes('/v1.0/') ? legacy : newest).find('GET', pathname) ?? {};
    const parts = pathname.split('/');
    for (const [index, part] of (template ?? '').split('/').entries()) {
      const name = /^\{(\w+)\}$/.exec(part)?.[1];
      if (name !== undefined) found.push([name, decodeURIComponent(parts[index] ?? '')]);
    }
    return value;
  });
  return found;
}
