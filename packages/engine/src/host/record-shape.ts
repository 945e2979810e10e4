type Fields = Readonly<Record<string, unknown>>;
type Check = (value: unknown) => boolean;

const text: Check = (value) => typeof value === 'string';
const flag: Check = (value) => typeof value === 'boolean';
const number: Check = (value) => Number.isFinite(value);
const count: Check = (value) => Number.isSafeInteger(value) && Number(value) >= 0;
const port: Check = (value) => count(value) && Number(value) > 0 && Number(value) <= 65_535;

const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);

const maybe =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);

const mapOf =
  (check: Check): Check =>
  (value) =>
    isFields(value) && Object.values(value).every(check);

const fields =
  (checks: Readonly<Record<string, Check>>): Check =>
  (value) =>
    isFields(value) && Object.entries(checks).every(([name, check]) => check(value[name]));

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const member = fields({
  id: text,
  kind: text,
  shard: count,
  priority: number,
  names: maybe(listOf(text)),
});

/**
 * Checks all fields that readers of a record use. Otherwise an invalid record would cause errors in unrelated code,
 * even in other clusters.
 */
export const isWholeRecord = fields({
  spec: fields({
    id: text,
    clusterName: text,
    replicaSetName: text,
    majorVersion: text,
    version: text,
    members: listOf(member),
    encryption: maybe(fields({ masterKey: text })),
  }),
  access: fields({ revision: count, users: listOf(isFields), addresses: listOf(text) }),
  ports: mapOf(port),
  paused: flag,
  configVersion: count,
  term: count,
  primaries: listOf(text),
  stopped: maybe(listOf(text)),
  elections: maybe(listOf(fields({ memberId: text, time: number }))),
  made: maybe(flag),
  searchNodes: maybe(count),
  faults: maybe(listOf(fields({ id: text, commands: listOf(text), skip: count, probability: number }))),
  decoySecret: text,
});
