import { setTimeout } from 'node:timers/promises';
import { bodyFor, isObject } from './bodies.ts';
import { type Answer, compareAnswers, type Difference, pathsOf } from './compare.ts';
import { type OpenApi, type Operation, operationFor, operationsOf } from './operations.ts';
import type { Recording } from './recordings.ts';

/** A service to which the requests of a story are sent. */
export interface Replayed {
  readonly document: (version: string) => Promise<OpenApi>;
  readonly send: (method: string, path: string, version: string, body?: unknown) => Promise<Answer>;
}

interface Play {
  readonly story: readonly Recording[];
  readonly known: ReadonlyMap<string, string>;
  /** Gets the pairs of an operation and a version that could not be played. */
  readonly unreached: Set<string>;
}

export interface Outcome {
  readonly operation: Operation;
  readonly version: string;
  readonly story: string;
  readonly difference: Difference;
  /** The paths of the fields in the recorded response and in the response of this service; empty for errors. */
  readonly paths: { readonly recorded: ReadonlySet<string>; readonly own: ReadonlySet<string> };
}

const NEWEST = '2025-03-12';
const POLL_MS = 300;
const READY_LIMIT_MS = 300_000;

/**
 * Sends the requests of a story in order. In later paths, ids from this service's responses replace the recorded ones.
 * `known` maps ids in recordings to ids in this service, for resources that existed before the recordings.
 */
export async function replay(service: Replayed, { story, known, unreached }: Play): Promise<Outcome[]> {
  const ids = new Map(known);
  const outcomes: Outcome[] = [];
  for (const recording of withoutPolls(story)) {
    // Skip requests with wrong credentials, since they do not belong to the story.
    if (recording.status === 401) continue;
    const version = recording.version ?? NEWEST;
    const document = await service.document(version);
    const operation = operationFor(operationsOf(document), recording);
    if (operation === undefined) continue;
    // Skip requests about which not enough is known.
    const answer = isUnknown(operation, recording, ids)
      ? undefined
      : await play(service, recording, { operation, document, ids, version });
    if (answer === undefined) {
      unreached.add(`${operation.id} ${version}`);
      continue;
    }
    learnIds(recording.body, answer.body, ids);
    const difference = compareAnswers(recording, answer);
    const compared = difference.status === undefined && recording.status < 400;
    const paths = {
      recorded: pathsOf(compared && recording.body),
      own: pathsOf(compared && answer.body),
    };
    outcomes.push({ operation, version, story: recording.story, difference, paths });
  }
  return outcomes;
}

/** Keeps only the last of several consecutive recordings of the same request. */
function withoutPolls(story: readonly Recording[]): Recording[] {
  const same = (a: Recording, b: Recording | undefined) =>
    a.method === 'GET' && b?.method === 'GET' && a.flatPath === b.flatPath && a.query === b.query;
  return story.filter((recording, index) => !same(recording, story[index + 1]));
}

interface Context {
  readonly operation: Operation;
  readonly document: OpenApi;
  readonly ids: ReadonlyMap<string, string>;
  readonly version: string;
}

/** Sends a request. Returns undefined if it needs an id of a resource that existed before the story. */
async function play(service: Replayed, recording: Recording, context: Context): Promise<Answer | undefined> {
  const { operation, ids, version } = context;
  const { method } = recording;
  const path = pathOf(operation, recording, ids);
  const dropped = new Set<string>();
  const body = sentBody(recording, context, dropped);
  if (recording.request !== undefined && hasUnknownIds(body, new Set(ids.values()))) return undefined;
  const end = Date.now() + READY_LIMIT_MS;
  for (;;) {
    const answer = await service.send(method, path, version, body);
    if (lacks(answer, dropped)) return undefined;
    if (method !== 'GET' || isSettled(recording, answer) || Date.now() > end) return answer;
    await setTimeout(POLL_MS);
  }
}

/** Returns the recorded body with the ids of this service. If it is not recorded, builds one from the response. */
function sentBody(
  { request, body: answer, flatPath }: Recording,
  { operation, document, ids }: Context,
  dropped: Set<string>,
): unknown {
  if (request !== undefined) return replaced(request, ids);
  const { id, body: schema, pattern } = operation;
  if (schema === undefined) return undefined;
  const own = new Set(ids.values());
  const sample = replaced(answer, ids);
  const fields = isObject(sample) ? sample : Array.isArray(sample) ? { results: sample } : {};
  const path = pattern.exec(flatPath)?.slice(1) ?? [];
  return bodyFor(document, { id, body: schema, path }, fields, (one) => own.has(one), dropped);
}

/** Whether a body contains an id of a resource that existed before the story. */
function hasUnknownIds(body: unknown, own: ReadonlySet<string>): boolean {
  if (typeof body === 'string') return ID.test(body) && !own.has(body);
  if (Array.isArray(body)) return body.some((item) => hasUnknownIds(item, own));
  return isObject(body) && Object.values(body).some((value) => hasUnknownIds(value, own));
}

function lacks({ status, body }: Answer, dropped: ReadonlySet<string>): boolean {
  if (status !== 400 || !isObject(body)) return false;
  return [...dropped].some((name) => String(body.detail).includes(name));
}

/** Whether background work has reached the state in the recording. */
function isSettled(recorded: Answer, own: Answer): boolean {
  if (recorded.status === 404) return own.status !== 200;
  if (own.status !== 200 || !isObject(recorded.body) || !isObject(own.body)) return true;
  for (const name of ['stateName', 'status', 'state'])
    if (typeof recorded.body[name] === 'string' && recorded.body[name] !== own.body[name]) {
      if (isPassing(own.body[name])) return false;
    }
  return !lacksLate(recorded.body, own.body);
}

/**
 * Whether the document of this service, or the first item of its list, lacks a field that appears only after background
 * work.
 */
function lacksLate(recorded: Record<string, unknown>, own: Record<string, unknown>): boolean {
  const [theirs] = Array.isArray(recorded.results) ? recorded.results : [];
  const [ours] = Array.isArray(own.results) ? own.results : [];
  if (isObject(theirs) && isObject(ours) && lacksLate(theirs, ours)) return true;
  return Object.keys(recorded).some((name) => LATE.test(name) && !(name in own));
}

/** Fields that appear once background work has ended. */
const LATE = /^(expiresAt|finishedAt|lastPing|restoreFinishedDate)$/;

function isPassing(state: unknown): boolean {
  return (
    /ING$|^queued$|inProgress|PENDING/i.test(String(state)) && !/WAITING|PENDING_ACC/.test(String(state))
  );
}

const ID = /^[0-9a-f]{24}$/;
/** Names that exist only in the recorded account: a cluster, and people. */
const RECORDED = /^snapshotCluster0$|@mongodb\.com$/;

/**
 * Whether a request is for a resource that existed before the story, or had a body that was not recorded. If the
 * recorded response is an error, it does not show what the body contained.
 */
function isUnknown(
  { pattern, body }: Operation,
  { flatPath, request, status }: Recording,
  ids: ReadonlyMap<string, string>,
): boolean {
  if (body !== undefined && request === undefined && status >= 400) return true;
  const values = pattern.exec(flatPath)?.slice(1) ?? [];
  return values.some((value) => RECORDED.test(value) || (ID.test(value) && !ids.has(value)));
}

function pathOf(
  { template, pattern }: Operation,
  { flatPath, query: recorded }: Recording,
  ids: ReadonlyMap<string, string>,
): string {
  const values = pattern.exec(flatPath)?.slice(1) ?? [];
  // Some recordings lack query parameters that this service requires.
  const query = recorded || (template.endsWith('/measurements') ? 'granularity=PT1M&period=PT1H' : '');
  const path = template.replace(/\{\w+\}/g, () => {
    const value = values.shift() ?? '';
    return encodeURIComponent(ids.get(value) ?? value);
  });
  return query === '' ? path : `${path}?${query}`;
}

/** Replaces recorded ids in a body by ids of this service. */
function replaced(value: unknown, ids: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') return ids.get(value) ?? value;
  if (Array.isArray(value)) return value.map((item) => replaced(item, ids));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, replaced(one, ids)]));
}

const idFields = /^(_id|id|\w+Id|hostname|userAlias|username|ipAddress|cidrBlock)$/;

function learnIds(recorded: unknown, own: unknown, ids: Map<string, string>): void {
  if (Array.isArray(recorded) && Array.isArray(own)) {
    for (const [index, item] of recorded.entries()) learnIds(item, own[index], ids);
    return;
  }
  if (!isObject(recorded) || !isObject(own)) return;
  for (const [name, value] of Object.entries(recorded)) {
    const ours = own[name];
    if (typeof value === 'string' && typeof ours === 'string') {
      if (!idFields.test(name) || ids.has(value)) continue;
      if (value !== ours) ids.set(value, ours);
      // Recorded paths contain the value in this form.
      const flat = value.replace(/[/:]/g, '_');
      if (flat !== value) ids.set(flat, ours);
    } else learnIds(value, ours, ids);
  }
}
