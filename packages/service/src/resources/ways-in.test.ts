import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Fault } from '@portolan/foundation/faults';
import { checkMatchers } from './alerts/configurations/matchers.ts';
import { checkTogether } from './backup/schedules/rules.ts';
import { readCreate } from './clusters/shapes/requests.ts';
import { readRole } from './database-users/custom-roles/rules.ts';
import { checkRoles, readUser } from './database-users/rules.ts';
import { readAddresses } from './live-migrations/links/rules.ts';
import { checkDefinition, readAnalyzers } from './search/rules.ts';

/**
 * The service has only one thread, so reading a request must take time in proportion to its size. These tests count how
 * often the rules of a family read a field or an entry of a large input. Counts do not depend on the machine.
 */

/** Reads per value of the input. Rules read each value a few times, because they check, copy and convert it. */
const READS_PER_VALUE = 30;

/** Returns a copy of an input whose fields and entries call `read` whenever they are read. */
function counted(value: unknown, read: () => void): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const copy: object = Array.isArray(value)
    ? value.map((entry) => counted(entry, read))
    : Object.fromEntries(Object.entries(value).map(([name, field]) => [name, counted(field, read)]));
  return new Proxy(copy, {
    get(target, name, receiver) {
      read();
      return Reflect.get(target, name, receiver);
    },
  });
}

function valuesIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce<number>((sum, field) => sum + valuesIn(field), 1);
}

const many = <T>(count: number, make: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));
const fieldsOf = <T>(count: number, make: (i: number) => T) =>
  Object.fromEntries(many(count, (i) => [`f${i}`, make(i)]));

/** Roles of which each inherits all earlier ones, so that the number of paths between them is exponential. */
const ladder = many(30, (i) => ({
  ...{ id: `r${i}`, groupId: 'g', name: `r${i}` },
  document: { actions: [], inheritedRoles: many(i, (n) => ({ role: `r${n}`, db: 'admin' })) },
}));

interface Way {
  readonly input: unknown;
  /** The parameter is `never`, because the inputs have the types of different families. */
  readonly rules: (input: never) => unknown;
}

const definition = (input: object, type: 'search' | 'vectorSearch' = 'search'): Way => ({
  input,
  rules: (own) => checkDefinition(type, own, [], 'definition'),
});

const ways: Readonly<Record<string, Way>> = {
  'custom roles that inherit each other': {
    input: ladder,
    rules: (roles) => readRole('new', { inheritedRoles: [{ role: 'r29', db: 'admin' }] }, roles),
  },
  'custom role with many resources': {
    input: {
      actions: many(30, () => ({
        action: 'FIND',
        resources: many(100, (i) => ({ db: `d${i}`, collection: '' })),
      })),
    },
    rules: (body) => readRole('new', body, []),
  },
  'database user with many roles': {
    input: { roles: many(100, (i) => ({ roleName: 'read', databaseName: `d${i}` })) },
    rules: (body) => checkRoles(readUser(body), new Set()),
  },
  'matchers of an alert': {
    input: many(100, (i) => ({ fieldName: 'CLUSTER_NAME', operator: 'REGEX', value: `a{${i}}` })),
    rules: (matchers) => checkMatchers('CLUSTER_MONGOS_IS_MISSING', matchers),
  },
  'items of a backup schedule': {
    input: many(100, (i) => ({
      ...{ id: `${i}`, frequencyInterval: 1, frequencyType: 'weekly' },
      ...{ retentionUnit: 'days', retentionValue: 7 },
    })),
    rules: (items) => checkTogether(items),
  },
  'addresses of a live migration': {
    input: many(3_000, (i) => `10.0.${i >> 8}.${i & 255}`),
    rules: (addresses) => readAddresses(addresses),
  },
  'regions of a cluster': {
    input: {
      ...{ name: 'quay', clusterType: 'GEOSHARDED', labels: many(50, (i) => ({ key: `k${i}`, value: 'v' })) },
      providerSettings: { providerName: 'AWS', instanceSizeName: 'M10' },
      replicationSpecs: many(500, (i) => ({
        ...{ numShards: 1, zoneName: `zone ${i}` },
        regionsConfig: { US_EAST_1: { electableNodes: 3, priority: 7, readOnlyNodes: 0, analyticsNodes: 0 } },
      })),
    },
    rules: (body) => readCreate(body, () => 'id'),
  },
  'fields of a search index': definition({ mappings: { fields: fieldsOf(900, () => ({ type: 'string' })) } }),
  'nested fields of a search index': definition({
    mappings: {
      fields: many(30, (i) => i).reduce<object>((fields) => ({ a: { type: 'document', fields } }), {
        a: { type: 'string' },
      }),
    },
  }),
  'synonyms of a search index': definition({
    mappings: { dynamic: true },
    synonyms: many(500, (i) => ({ name: `s${i}`, analyzer: 'lib.standard', source: { collection: 'c' } })),
  }),
  'fields of a vector index': definition(
    { fields: many(500, (i) => ({ type: 'filter', path: `f${i}` })) },
    'vectorSearch',
  ),
  analyzers: {
    input: many(300, (i) => ({
      name: `a${i}`,
      charFilters: [{ type: 'mapping', mappings: fieldsOf(5, (n) => `x${n}`) }],
      tokenizer: { type: 'standard' },
      tokenFilters: [{ type: 'lowercase' }, { type: 'stopword', tokens: many(5, (n) => `t${n}`) }],
    })),
    rules: (analyzers) => readAnalyzers(analyzers),
  },
};

describe('rules read each value of a large input only a few times:', () => {
  for (const [name, { input, rules }] of Object.entries(ways)) {
    it(name, () => {
      let reads = 0;
      const most = READS_PER_VALUE * valuesIn(input);
      const own = counted(input, () => {
        if (++reads > most) throw new RangeError(`more than ${most} reads`);
      });
      try {
        rules(own as never);
      } catch (error) {
        // A rule may reject the input after it has read it.
        if (!(error instanceof Fault)) throw error;
      }
      assert.ok(reads > 0);
    });
  }
});
