import type { Client } from '../client.ts';
import { expectStatus } from '../expect.ts';
import { type DescribedOperation, describedIn } from '../generated/document.ts';
import { Requests } from '../generated/requests.ts';
import { documentsOf } from '../generated/run.ts';
import { newStage, type Stage } from '../generated/stage.ts';
import type { Reply } from '../http.ts';
import { dice } from '../random.ts';
import type { Setup } from '../setups.ts';
import { clusterBody } from '../stage.ts';
import { hostileTexts } from './texts.ts';

/** A request with a hostile text in its path, its query or its body. */
export interface HostileRequest {
  readonly operation: DescribedOperation;
  /** The request in words. */
  readonly text: string;
  /** Whether the text is in the body, and the operation has rejected malformed JSON. */
  readonly isProbed: boolean;
  send(): Promise<Reply>;
}

/** Maximum length of an encoded text in a path or query. With it, the head stays below the limit of 16 KiB. */
const IN_HEAD = 6_000;
const BODIES = 3;
/**
 * Operations to omit, since they change what all other tests of the service see. The endpoints of the console accept no
 * API keys, and limit the attempts to log in from an address.
 */
const leftOut = /Clock|Fault|State|^console/;

/**
 * Yields requests for every operation, with a hostile text in every place. Calls `probed` with the response of each
 * operation to malformed JSON.
 */
export async function* hostileRequests(
  setup: Setup,
  probed: (operation: DescribedOperation, reply: Reply) => void = () => {},
): AsyncGenerator<HostileRequest> {
  const { newest } = await documentsOf(setup);
  let stage = await stageWithCluster(setup);
  for (const operation of describedIn(newest)) {
    if (leftOut.test(operation.id)) continue;
    if (operation.method === 'DELETE') stage = await stageWithCluster(setup);
    const { client: own, operator, keyId, pools } = stage;
    const client = operation.template.startsWith('/operator') ? operator : own;
    const requests = new Requests(dice(1), pools);
    const valid = requests.of(operation, 'valid');
    for (const target of targetsOf(operation, requests))
      if (operation.method === 'GET' || !target.includes(keyId))
        yield requestOf(client, operation, target, valid.body?.toString());
    if (operation.body === undefined) continue;
    const [path = ''] = valid.target.split('?');
    const probe = await client.send(operation.method, path, '{');
    probed(operation, probe);
    for (let i = 0; i < BODIES; i++) {
      const made = JSON.parse(String(requests.of(operation, 'valid').body));
      for (const other of replaced(made))
        yield requestOf(client, operation, path, JSON.stringify(other), probe.status === 400);
    }
  }
}

function requestOf(
  client: Client,
  operation: DescribedOperation,
  target: string,
  body?: string,
  isProbed = false,
): HostileRequest {
  return {
    operation,
    text: `${operation.id}: ${target.slice(0, 200)} ${body?.slice(0, 500)}`,
    isProbed,
    send: () => client.send(operation.method, target, body),
  };
}

let turn = 0;
const next = () => hostileTexts[turn++ % hostileTexts.length] as string;

/** Returns the beginning of a hostile text, percent-encoded. */
function inHead(): string {
  const text = next();
  let length = Math.min(text.length, IN_HEAD);
  while (encodeURIComponent(text.slice(0, length)).length > IN_HEAD) length = Math.floor(length / 2);
  return encodeURIComponent(text.slice(0, length));
}

/** Yields copies of a value. In each copy, one of its texts is replaced by a hostile one. */
function* replaced(value: unknown): Generator<unknown> {
  if (typeof value === 'string') yield next();
  else if (Array.isArray(value)) {
    for (const [i, entry] of value.entries()) for (const other of replaced(entry)) yield value.with(i, other);
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, entry] of Object.entries(value))
      for (const other of replaced(entry)) yield { ...value, [name]: other };
  }
}

/** Returns the targets of requests. In each, the value of one parameter of the path or the query is a hostile text. */
function targetsOf(operation: DescribedOperation, requests: Requests): string[] {
  return operation.parameters.map(({ name, in: place }) => {
    const path = requests.of(operation, 'valid').target.split('?')[0] ?? '';
    if (place === 'query') return `${path}?${name}=${inHead()}`;
    const parts = operation.template.split('/');
    const given = path.split('/');
    const at = parts.findIndex((part) => part.includes(`{${name}}`));
    const hostile = (parts[at] ?? '').replace(`{${name}}`, inHead);
    return given.with(given.length - parts.length + at, hostile).join('/');
  });
}

/** Creates a stage whose project has a cluster, since operations on parts of a cluster need one. */
async function stageWithCluster(setup: Setup): Promise<Stage> {
  const stage = await newStage(setup);
  const group = stage.pools.text('groupId', dice(1));
  const made = await stage.client.post(`/groups/${group}/clusters`, clusterBody('quay'));
  stage.pools.add('clusterName', String(expectStatus<{ name: string }>(made, 201).name));
  return stage;
}
