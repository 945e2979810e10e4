import { bsonTypes, typeName } from '../../../bson/bson-types.ts';
import { documentOf, type RawDocument } from '../../../bson/raw.ts';
import { textOf, type Value } from '../../../bson/value.ts';
import { ServerError } from '../../../errors/server-error.ts';
import { fields } from '../../shared/fields.ts';

/** This file validates storage engine options, which are stored and returned but have no effect. */

const ENGINE = 'wiredTiger';

const defaultsReader = fields('create.indexOptionDefaults', { storageEngine: 'object' });

export function checkIndexDefaults(defaults: RawDocument): void {
  const { storageEngine } = defaultsReader.read(defaults);
  if (storageEngine !== undefined) checkStorageEngine(storageEngine);
}

export function checkStorageEngine(options: RawDocument): void {
  for (const engine of options) {
    if (engine.type !== bsonTypes.object) {
      throw new ServerError('BadValue', `'storageEngine.${engine.name}' has to be an embedded document.`);
    }
    if (engine.name !== ENGINE) {
      throw invalid(`${engine.name} is not a registered storage engine for this server`);
    }
    for (const option of documentOf(engine)) checkOption(option.name, option);
  }
}

function checkOption(name: string, value: Value): void {
  if (name !== 'configString') {
    throw invalid(`'${name}' is not a supported option in ${ENGINE}`);
  }
  if (value.type !== bsonTypes.string) {
    throw new ServerError(
      'TypeMismatch',
      `'${ENGINE}.${name}' must be a string, but got ${typeName(value.type)}`,
    );
  }
  const text = textOf(value);
  if (text.includes('\0')) {
    throw new ServerError('FailedToParse', `'${ENGINE}.${name}' cannot contain an embedded null byte`);
  }
  for (const setting of text.split(',')) checkSetting(setting.split('=')[0]?.trim() ?? '');
}

/** The names of table settings in the server's storage engine. */
const settings = new Set(
  `access_pattern_hint allocation_size app_metadata assert block_allocation block_compressor cache_resident checksum
  colgroups collator columns dictionary encryption exclusive extractor format huffman_key huffman_value ignore_in_memory_cache_size
  immutable internal_item_max internal_key_max internal_key_truncate internal_page_max key_format key_gap leaf_item_max
  leaf_key_max leaf_page_max leaf_value_max log lsm memory_page_image_max memory_page_max os_cache_dirty_max os_cache_max
  prefix_compression prefix_compression_min source split_deepen_min_child split_deepen_per_child split_pct tiered_object
  tiered_storage type value_format verbose write_timestamp_usage`.split(/\s+/),
);

function checkSetting(name: string): void {
  if (name === '' || settings.has(name)) return;
  throw new ServerError('BadValue', `22: Invalid argument: unknown configuration key '${name}'`);
}

function invalid(message: string): ServerError {
  return new ServerError('InvalidOptions', message);
}
