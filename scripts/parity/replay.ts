import { setTimeout } from 'node:timers/promises';
import { bodyFor, isObject } from './bodies.ts';
import { type Answer, compareAnswers, type Difference } from './compare.ts';
import { type OpenApi, type Operation, operationFor, operationsOf } from './operations.ts';
import type { Recording } from './recordings.ts';

/** A service that answers the requests of a story. */
export interface Replayed {
  readonly document: (version: string) => Promise<OpenApi>;
  readonly send: (method: string, path: string, version: string, body?: unknown) => Promise<Answer>;
  /** Ids that recordings have in place of the recorder's own, with ours. */
  readonly ids: ReadonlyMap<string, string>;
}

export interface Outcome {
  readonly operation: Operation;
  readonly version: string;
  readonly story: string;
  readonly difference: Difference;
}

const NEWEST = '2025-03-12';
const POLL_MS = 300;
const PATIENCE_MS = 40_000;

/** Plays the requests of a story in order; ids of our answers take the place of recorded ones in later paths. */
export async function replay(
  service: Replayed,
  story: readonly Recording[],
  unreached: Set<string>,
): Promise<Outcome[]> {
  const ids = new Map(service.ids);
  const outcomes: Outcome[] = [];
  for (const recording of withoutPolls(story)) {
    // Callers with wrong credentials are not part of the story.
    if (recording.status === 401) continue;
    const version = recording.version ?? NEWEST;
    const document = await service.document(version);
    const operation = operationFor(operationsOf(document), recording);
    if (operation === undefined) continue;
    // What the recorder had before the story is unknown.
    const answer = unknownIds(operation, recording, ids)
      ? undefined
      : await play(service, recording, { operation, document, ids, version });
    if (answer === undefined) {
      unreached.add(`${operation.id} ${version}`);
      continue;
    }
    learnIds(recording.body, answer.body, ids);
    const difference = compareAnswers(recording, answer);
    outcomes.push({ operation, version, story: recording.story, difference });
  }
  return outcomes;
}

/** Of the recordings of one request that follow each other, the last. */
function withoutPolls(story: readonly Recording[]): Recording[] {
  const same = (a: Recording, b: Recording | undefined) =>
    a.method === 'GET' && b?.method === 'GET' && a.flatPath === b.flatPath;
  return story.filter((recording, index) => !same(recording, story[index + 1]));
}

interface Context {
  readonly operation: Operation;
  readonly document: OpenApi;
  readonly ids: ReadonlyMap<string, string>;
  readonly version: string;
}

/** Undefined if the request needs an id that the recorder had before the story. */
async function play(service: Replayed, recording: Recording, context: Context): Promise<Answer | undefined> {
  const { operation, document, ids, version } = context;
  const { method } = recording;
  const path = pathOf(operation, recording.flatPath, ids);
  const own = new Set(ids.values());
  const sample = replaced(recording.body, ids);
  const { id, body: schema } = operation;
  const dropped = new Set<string>();
  const isKnown = (one: string) => own.has(one);
  const fields = isObject(sample) ? sample : Array.isArray(sample) ? { results: sample } : {};
  const body = schema && bodyFor(document, { id, body: schema }, fields, isKnown, dropped);
  const end = Date.now() + PATIENCE_MS;
  for (;;) {
    const answer = await service.send(method, path, version, body);
    if (lacks(answer, dropped)) return undefined;
    if (method !== 'GET' || isSettled(recording, answer) || Date.now() > end) return answer;
    await setTimeout(POLL_MS);
  }
}

function lacks({ status, body }: Answer, dropped: ReadonlySet<string>): boolean {
  if (status !== 400 || !isObject(body)) return false;
  return [...dropped].some((name) => String(body.detail).includes(name));
}

/** Whether work in the background has come as far as in the recording. */
function isSettled(recorded: Answer, own: Answer): boolean {
  if (recorded.status === 404) return own.status !== 200;
  if (own.status !== 200 || !isObject(recorded.body) || !isObject(own.body)) return true;
  for (const name of ['stateName', 'status', 'state'])
    if (typeof recorded.body[name] === 'string' && recorded.body[name] !== own.body[name]) {
      if (isPassing(own.body[name])) return false;
    }
  const { body } = own;
  return !Object.keys(recorded.body).some((name) => LATE.test(name) && !(name in body));
}

/** Fields that appear when work has ended. */
const LATE = /^(finishedAt|lastPing|restoreFinishedDate)$/;

function isPassing(state: unknown): boolean {
  return (
    /ING$|^queued$|inProgress|PENDING/i.test(String(state)) && !/WAITING|PENDING_ACC/.test(String(state))
  );
}

const ID = /^[0-9a-f]{24}$/;
/** A cluster and people of the recorder's. */
const RECORDED = /^snapshotCluster0$|@mongodb\.com$/;

function unknownIds(
  { pattern }: Operation,
  { flatPath }: Recording,
  ids: ReadonlyMap<string, string>,
): boolean {
  const values = pattern.exec(flatPath)?.slice(1) ?? [];
  return values.some((value) => RECORDED.test(value) || (ID.test(value) && !ids.has(value)));
}

function pathOf(
  { template, pattern }: Operation,
  flatPath: string,
  ids: ReadonlyMap<string, string>,
): string {
  const values = pattern.exec(flatPath)?.slice(1) ?? [];
  // Recordings do not show parameters; here, some are required.
  const query = template.endsWith('/measurements') ? '?granularity=PT1M&period=PT1H' : '';
  const path = template.replace(/\{\w+\}/g, () => {
    const value = values.shift() ?? '';
    return encodeURIComponent(ids.get(value) ?? value);
  });
  return path + query;
}

/** A body with our ids. */
function replaced(value: unknown, ids: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') return ids.get(value) ?? value;
  if (Array.isArray(value)) return value.map((item) => replaced(item, ids));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, replaced(one, ids)]));
}

const idFields = /^(_id|id|\w+Id|hostname|userAlias|username)$/;

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
      // As paths of recordings have it.
      const flat = value.replace(/[/:]/g, '_');
      if (flat !== value) ids.set(flat, ours);
    } else learnIds(value, ours, ids);
  }
}
