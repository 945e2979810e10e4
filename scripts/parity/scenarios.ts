import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parse } from 'yaml';
import type { Recording } from './recordings.ts';
import { RECORDED_ORG, RECORDED_PROJECT } from './service.ts';

/** A scenario of the tests of the Terraform provider: requests with bodies and the responses of the vendor's service. */
interface Scenario {
  readonly variables?: Readonly<Record<string, string>>;
  readonly steps?: readonly { readonly request_responses?: readonly Request[] }[];
}

interface Request {
  readonly path: string;
  readonly method: string;
  readonly version: string;
  /** The body, or an empty text. */
  readonly text: string;
  readonly responses: readonly Response[];
}

interface Response {
  /** Counts the responses of a step. */
  readonly response_index: number;
  readonly status: number;
  readonly text: string;
}

const BASE = '/api/atlas/v2/';

/** Returns the scenarios in a checkout, by story, as recordings in the order in which they were made. */
export function readScenarios(checkout: string): Map<string, Recording[]> {
  const stories = new Map<string, Recording[]>();
  for (const file of globSync('internal/**/testdata/**/*.yaml', { cwd: checkout })) {
    const text = readFileSync(join(checkout, file), 'utf8');
    // Templates are not complete: they only read clusters that another test created.
    if (file.endsWith('.tmpl.yaml') || !text.includes('request_responses:')) continue;
    const story = basename(file, '.yaml');
    const recordings = recordingsOf(story, parse(text) as Scenario);
    if (recordings.length > 0) stories.set(story, recordings);
  }
  return stories;
}

interface Exchange {
  readonly request: Request;
  readonly response: Response;
}

function recordingsOf(story: string, { variables = {}, steps = [] }: Scenario): Recording[] {
  const exchanges = steps.flatMap(({ request_responses: requests }) => inOrder(requests ?? []));
  const createsProject = exchanges.some(({ request }) => isProjectCreation(request));
  const values = new Map(Object.entries(variables).map(([name, value]) => [`{${name}}`, value]));
  if (values.has('{orgId}')) values.set('{orgId}', RECORDED_ORG);
  if (values.has('{groupId}') && !createsProject) values.set('{groupId}', RECORDED_PROJECT);
  return ofOwnResources(exchanges).map((exchange, index) => recordingOf(story, exchange, values, index));
}

const isProjectCreation = ({ method, path }: Request) => method === 'POST' && path === `${BASE}groups`;

function inOrder(requests: readonly Request[]): Exchange[] {
  return requests
    .flatMap((request) => request.responses.map((response) => ({ request, response })))
    .sort((a, b) => a.response.response_index - b.response.response_index);
}

/** Drops requests for resources that the scenario does not create, since nothing is known about them. */
function ofOwnResources(exchanges: readonly Exchange[]): Exchange[] {
  const own = new Set(['{groupId}', '{orgId}']);
  return exchanges.filter(({ request, response }) => {
    if (request.method === 'POST' && response.status < 300)
      for (const [name] of `${request.text} ${response.text}`.matchAll(/\{\w+\}/g)) own.add(name);
    return [...request.path.matchAll(/\{\w+\}/g)].every(([name]) => own.has(name));
  });
}

function recordingOf(
  story: string,
  { request: { method, path, version, text }, response }: Exchange,
  values: ReadonlyMap<string, string>,
  index: number,
): Recording {
  const filled = (given: string) => given.replace(/\{\w+\}/g, (name) => values.get(name) ?? name);
  const [flat = '', query = ''] = filled(path).slice(BASE.length).split('?');
  return {
    story,
    method,
    flatPath: flat.replace(/[/:]/g, '_'),
    query,
    status: response.status,
    version,
    request: parsed(filled(text)),
    body: parsed(filled(response.text)),
    time: index,
    turn: 1,
  };
}

const parsed = (text: string): unknown => (text === '' ? undefined : JSON.parse(text));
