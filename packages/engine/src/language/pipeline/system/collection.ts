import { bsonTypes, typeName } from '../../../bson/bson-types.ts';
import { documentOf, type RawDocument } from '../../../bson/raw.ts';
import { boolOf, type Element, isAbsent, type Value } from '../../../bson/value.ts';
import { ServerError } from '../../../errors/server-error.ts';
import { readOptions } from '../options.ts';
import type { StageTable } from '../stage.ts';
import { needsOnCollection, optionsOf } from '../stage-access.ts';
import { atTheSource } from '../stage-facts.ts';
import type { StatisticsRequest } from './facts.ts';
import { aboutDeployment } from './system-stage.ts';

/** Statistics of collections. */
export const statisticsStages: StageTable = {
  $collStats: {
    ...aboutDeployment,
    compile(spec, { pipelineEnvironment }) {
      const wanted = wantedOf(spec);
      return () => pipelineEnvironment.collectionStats(wanted);
    },
    source: 'namespace',
    within: { ...atTheSource, transaction: false },
    access: needsOnCollection('collStats'),
    readConcern: 'any',
    stableApi: (stage) => [...optionsOf(stage)].every(({ name }) => name === 'count'),
  },
  $indexStats: {
    ...aboutDeployment,
    compile(spec, { pipelineEnvironment }) {
      if (spec.type !== bsonTypes.object || !documentOf(spec).isEmpty) {
        throw new ServerError(28803, 'The $indexStats stage specification must be an empty object');
      }
      return () => pipelineEnvironment.indexStats();
    },
    source: 'collection',
    within: { ...atTheSource, transaction: false },
    access: needsOnCollection('indexStats'),
    readConcern: 'any',
  },
};

/** The greatest int32. */
const MAX_SCALE = 2 ** 31 - 1;

type Wanted = { -readonly [K in keyof StatisticsRequest]: StatisticsRequest[K] };

/** Reads the requested statistics. Null counts as absent; every occurrence of a repeated option is validated. */
function wantedOf(spec: Value): StatisticsRequest {
  if (spec.type !== bsonTypes.object) {
    throw new ServerError(5447000, `$collStats must take a nested object but found a ${typeName(spec.type)}`);
  }
  const wanted: Wanted = { count: false, executions: false };
  for (const element of documentOf(spec)) {
    const take = takers[element.name];
    if (take === undefined) {
      throw new ServerError(40415, `BSON field '$collStats.${element.name}' is an unknown field.`);
    }
    if (!isAbsent(element)) take(wanted, optionOf(element), element);
  }
  return wanted;
}

function optionOf(element: Element): RawDocument {
  if (element.type === bsonTypes.object) return documentOf(element);
  throw new ServerError(
    'TypeMismatch',
    `BSON field '$collStats.${element.name}' is the wrong type '${typeName(element.type)}', ` +
      "expected type 'object'",
  );
}

function notFlag(option: string): ServerError {
  return new ServerError(
    'TypeMismatch',
    `BSON field '$collStats.${option}' is the wrong type 'null', expected type 'bool'`,
  );
}

type Take = (wanted: Wanted, option: RawDocument, element: Element) => void;

const takers: Readonly<Record<string, Take | undefined>> = Object.assign(Object.create(null), {
  latencyStats(wanted, option, element) {
    // Unlike elsewhere, null does not count as absent here.
    if (option.get('histograms')?.type === bsonTypes.null) throw notFlag('latencyStats.histograms');
    const { histograms } = readOptions('$collStats.latencyStats', element, { histograms: 'bool' });
    wanted.latency = { histograms: histograms !== undefined && boolOf(histograms) };
  },
  storageStats(wanted, option) {
    const scale = option.int('scale', '$collStats.storageStats') ?? 1;
    if (!(scale >= 1)) {
      throw new ServerError('BadValue', `BSON field 'scale' value must be >= 1, actual value '${scale}'`);
    }
    wanted.storage = { scale: Math.min(scale, MAX_SCALE) };
  },
  count(wanted, option) {
    checkEmpty(option, 'count');
    wanted.count = true;
  },
  queryExecStats(wanted, option) {
    checkEmpty(option, 'queryExecStats');
    wanted.executions = true;
  },
} satisfies Record<string, Take>);

function checkEmpty(option: RawDocument, name: string): void {
  if (option.isEmpty) return;
  throw new ServerError(31170, `'${name}' sub-option of $collStats must be an empty document`);
}
