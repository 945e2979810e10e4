import { Binary } from 'bson';
import type { RawDocument } from '../../bson/raw.ts';
import { ServerError } from '../../errors/server-error.ts';
import type { Command } from '../context/command.ts';
import { configDocument, fieldsOf, saveConfig } from '../shared/config-database.ts';
import { command } from '../shared/define.ts';
import { required, words } from '../shared/field-builders.ts';
import { checkNamespace } from '../shared/namespace.ts';
import { writing } from '../shared/presets.ts';
import { rejectView } from '../views/view.ts';
import { onNamedCollection, splitNamespace } from './shard-collection.ts';

/** The fields of a stored configuration that replies contain. */
const shown = ['mode', 'samplesPerSecond'] as const;
const MAX_SAMPLES = 50;

/**
 * Stores how many queries on a collection are to be sampled. The engine samples none, so `$listSampledQueries` returns
 * no documents.
 */
const configureQueryAnalyzer = command({
  name: 'configureQueryAnalyzer',
  ...writing,
  database: 'admin',
  writeConcern: false,
  audit: 'none',
  privileges: onNamedCollection('configureQueryAnalyzer'),
  fields: {
    configureQueryAnalyzer: 'string!',
    mode: required(words(['full', 'off'])),
    samplesPerSecond: 'double',
  },
  run({ configureQueryAnalyzer: _id, mode, samplesPerSecond }, _request, { store, clock }) {
    const { database, collection: name } = splitNamespace(_id);
    checkNamespace(database, name);
    checkSamples(mode, samplesPerSecond);
    rejectView(store, database, name);
    const collection = store.collection(database, name);
    if (collection === undefined) throw new ServerError('NamespaceNotFound', `${_id} does not exist`);
    const stored = configDocument(store, 'queryAnalyzers', _id);
    const before = stored !== undefined && isOf(stored, collection.uuid) ? fieldsOf(stored) : undefined;
    const wasOn = stored?.string('mode') === 'full';
    const newConfiguration = { mode, ...(samplesPerSecond === undefined ? {} : { samplesPerSecond }) };
    const now = new Date(clock.now());
    if (mode === 'full') {
      const startTime = before !== undefined && wasOn ? before.startTime : now;
      const collUuid = new Binary(Buffer.from(collection.uuid), Binary.SUBTYPE_UUID);
      saveConfig(store, 'queryAnalyzers', { _id, collUuid, ...newConfiguration, startTime });
    } else if (stored !== undefined && wasOn) {
      saveConfig(store, 'queryAnalyzers', { ...fieldsOf(stored), mode, stopTime: now });
    }
    const isReplaced = before !== undefined && (mode === 'full' || wasOn);
    return isReplaced
      ? { oldConfiguration: configurationOf(before), newConfiguration }
      : { newConfiguration };
  },
});

function checkSamples(mode: 'full' | 'off', samples: number | undefined): void {
  const problem = problemOf(mode, samples);
  if (problem !== undefined) throw new ServerError('InvalidOptions', problem);
}

function problemOf(mode: 'full' | 'off', samples: number | undefined): string | undefined {
  if (mode === 'off') {
    return samples === undefined ? undefined : `Cannot specify 'samplesPerSecond' when 'mode' is "off"`;
  }
  if (samples === undefined) return `'samplesPerSecond' must be specified when 'mode' is not "off"`;
  if (!(samples > 0)) return "'samplesPerSecond' must be greater than 0";
  return samples > MAX_SAMPLES
    ? `'samplesPerSecond' must be less than or equal to ${MAX_SAMPLES}`
    : undefined;
}

/** True if a stored configuration is that of the collection, and not of a dropped one with the same name. */
function isOf(stored: RawDocument, uuid: Uint8Array): boolean {
  const own = stored.get('collUuid');
  return own !== undefined && Buffer.compare(own.bytes.subarray(own.end - uuid.length, own.end), uuid) === 0;
}

function configurationOf(stored: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(shown.flatMap((name) => (name in stored ? [[name, stored[name]]] : [])));
}

export const queryAnalyzerCommands: readonly Command[] = [configureQueryAnalyzer];
