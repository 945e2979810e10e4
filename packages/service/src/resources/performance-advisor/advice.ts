import type { Engine } from '@portolan/engine/interface/calls';
import { Turns } from '@portolan/foundation/turns';
import { filterOf, type SlowQuery } from './slow-query.ts';
import { indexUses, userCollections } from './unneeded.ts';

/** A reason to change a collection, or the queries on it. */
interface Trigger {
  readonly recommendation: string;
  readonly triggerType: string;
  readonly description: string;
}

const unboundedArray: Trigger = {
  recommendation: 'AVOID_UNBOUNDED_ARRAY',
  triggerType: 'DOCS_CONTAIN_UNBOUNDED_ARRAY',
  description: 'Documents contain arrays with more than 10,000 elements.',
};
const largeDocuments: Trigger = {
  recommendation: 'REDUCE_DOCUMENT_SIZE',
  triggerType: 'DOC_SIZE_TOO_LARGE',
  description: 'Documents are larger than 2 MB.',
};
const manyIndexes: Trigger = {
  recommendation: 'REMOVE_UNNECESSARY_INDEXES',
  triggerType: 'NUM_INDEXES',
  description: 'The collection has more than 12 indexes.',
};
const foldedPatterns: Trigger = {
  recommendation: 'OPTIMIZE_CASE_INSENSITIVE_REGEX_QUERIES',
  triggerType: 'QUERIES_CONTAIN_CASE_INSENSITIVE_REGEX',
  description: 'Slow operations use case-insensitive regular expressions.',
};
const lookups: Trigger = {
  recommendation: 'REDUCE_LOOKUP_OPS',
  triggerType: 'NUMBER_OF_QUERIES_USE_LOOKUP',
  description: 'Slow operations use $lookup.',
};

const LARGE_BYTES = 2 * 1024 * 1024;
const LONG_ARRAY = 10_000;
const MANY_INDEXES = 12;
const SAMPLE = 100;

/** Figures about a sample of documents. The database computes them, so that it sends no documents. */
const figures = [
  { $sample: { size: SAMPLE } },
  {
    $project: {
      size: { $bsonSize: '$$ROOT' },
      longest: {
        $max: {
          $map: {
            input: { $objectToArray: '$$ROOT' },
            in: { $cond: [{ $isArray: '$$this.v' }, { $size: '$$this.v' }, 0] },
          },
        },
      },
    },
  },
  { $group: { _id: null, size: { $max: '$size' }, longest: { $max: '$longest' } } },
];

/** Returns advice that is derived from the documents, the indexes and the slow operations of a cluster. */
export async function schemaAdvice(
  engine: Engine,
  cluster: { readonly id: string; readonly name: string },
  queries: readonly SlowQuery[],
) {
  const found: { readonly namespace: string; readonly trigger: Trigger }[] = [];
  const indexes = new Map<string, number>();
  for (const { namespace } of await indexUses(engine, cluster))
    indexes.set(namespace, (indexes.get(namespace) ?? 1) + 1);
  const patterns = await namespacesOf(queries, ignoresCase);
  const joined = await namespacesOf(queries, looksUp);
  for (const { $db, name } of await userCollections(engine, cluster.id)) {
    const namespace = `${$db}.${name}`;
    const reply: unknown = await engine.run(cluster.id, {
      aggregate: name,
      $db,
      pipeline: figures,
      cursor: {},
    });
    const { cursor } = reply as { readonly cursor?: { readonly firstBatch?: readonly Figures[] } };
    const { size = 0, longest = 0 } = cursor?.firstBatch?.[0] ?? {};
    if (Number(longest) > LONG_ARRAY) found.push({ namespace, trigger: unboundedArray });
    if (Number(size) > LARGE_BYTES) found.push({ namespace, trigger: largeDocuments });
    if ((indexes.get(namespace) ?? 1) > MANY_INDEXES) found.push({ namespace, trigger: manyIndexes });
    if (patterns.has(namespace)) found.push({ namespace, trigger: foldedPatterns });
    if (joined.has(namespace)) found.push({ namespace, trigger: lookups });
  }
  const triggers = new Set(found.map(({ trigger }) => trigger));
  return [...triggers].map((trigger) => ({
    affectedNamespaces: found
      .filter((one) => one.trigger === trigger)
      .map(({ namespace }) => ({ namespace, triggers: [details(trigger)] })),
    description: trigger.description,
    recommendation: trigger.recommendation,
  }));
}

interface Figures {
  readonly size?: unknown;
  readonly longest?: unknown;
}

const details = ({ triggerType, description }: Trigger) => ({ triggerType, description });

/** Number of characters of an operation's line in the log for which a test takes about 5 µs, the unit of `Turns`. */
const CHARACTERS_PER_TURN = 500;

/** Returns the namespaces of the operations that pass a test. Pauses for other requests. */
async function namespacesOf(
  queries: readonly SlowQuery[],
  test: (query: SlowQuery) => boolean,
): Promise<ReadonlySet<string>> {
  const turns = new Turns();
  const namespaces = new Set<string>();
  for (const query of queries) {
    await turns.take(1 + query.line.length / CHARACTERS_PER_TURN);
    if (!namespaces.has(query.namespace) && test(query)) namespaces.add(query.namespace);
  }
  return namespaces;
}

const ignoresCase = ({ command }: SlowQuery) =>
  /"(?:\$options|options)":"[a-z]*i/.test(JSON.stringify(filterOf(command)));

const looksUp = ({ command }: SlowQuery) =>
  command.pipeline?.some((stage) => Object.hasOwn(stage, '$lookup')) === true;
