import { isObject } from './bodies.ts';

/** How a response differs from the recorded one. */
export interface Difference {
  /** The two statuses, such as `200, not 201`; absent if they are equal. */
  readonly status?: string;
  readonly missing: readonly string[];
  readonly added: readonly string[];
  /** Different error codes and states. */
  readonly values: readonly string[];
}

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

export function compareAnswers(recorded: Answer, own: Answer): Difference {
  const both = { missing: [] as string[], added: [] as string[], values: [] as string[] };
  // If the status differs, do not compare the bodies.
  if (recorded.status !== own.status) {
    const code =
      isObject(own.body) && own.body.errorCode ? ` ${own.body.errorCode} (${own.body.detail})` : '';
    return { ...both, status: `${own.status}${code}, not ${recorded.status}` };
  }
  if (recorded.body !== undefined) compareValues('', recorded.body, own.body, both);
  return both;
}

type Lists = Record<'missing' | 'added' | 'values', string[]>;

/**
 * Fields that are compared, since each has a fixed set of values. Other values depend on the caller and the time.
 */
const comparedFields = new Set(['errorCode', 'error', 'reason', 'stateName', 'clusterType', 'cloudProvider']);
/** Fields whose keys are data, and which are not compared. */
const maps = new Set(['connectionStrings', 'options', 'userAliasMap', 'parameters', 'badRequestDetail']);

function compareValues(path: string, recorded: unknown, own: unknown, lists: Lists): void {
  if (Array.isArray(recorded) && Array.isArray(own)) {
    // Nothing is known about the items of an empty list.
    if (recorded.length > 0 && own.length > 0)
      compareValues(`${path}[]`, merged(recorded), merged(own), lists);
    return;
  }
  if (!isObject(recorded) || !isObject(own)) {
    const name = path.split('.').at(-1) ?? '';
    // Do not compare states of items in lists, since they depend on the time of the request.
    if (comparedFields.has(name) && !path.includes('[]') && recorded !== own)
      lists.values.push(`${path}: ${own}, not ${recorded}`);
    return;
  }
  const within = (name: string) => (path === '' ? name : `${path}.${name}`);
  for (const [name, value] of Object.entries(recorded)) {
    if (!(name in own)) lists.missing.push(within(name));
    else if (!maps.has(name) && name !== 'links') compareValues(within(name), value, own[name], lists);
  }
  for (const name of Object.keys(own)) if (!(name in recorded)) lists.added.push(within(name));
}

/**
 * Merges the items of a list into one document with all their fields. Lists in these fields contain the items of all.
 */
function merged(items: readonly unknown[]): unknown {
  if (!items.every(isObject)) return items[0];
  const result: Record<string, unknown> = {};
  for (const [name, value] of items.flatMap((item) => Object.entries(item))) {
    const before = result[name];
    if (Array.isArray(before) && Array.isArray(value)) result[name] = [...before, ...value];
    else if (isObject(before) && isObject(value)) result[name] = merged([before, value]);
    else result[name] = before ?? value;
  }
  return result;
}

/** Returns the paths of all fields of a body. */
export function pathsOf(body: unknown): Set<string> {
  const found = new Set<string>();
  addPaths('', body, found);
  return found;
}

function addPaths(path: string, value: unknown, found: Set<string>): void {
  if (Array.isArray(value)) for (const item of value) addPaths(`${path}[]`, item, found);
  else if (isObject(value))
    for (const [name, one] of Object.entries(value)) {
      const within = path === '' ? name : `${path}.${name}`;
      found.add(within);
      if (!maps.has(name) && name !== 'links') addPaths(within, one, found);
    }
}
