import { bsonTypes, typeName } from '../../../bson/bson-types.ts';
import { documentOf } from '../../../bson/raw.ts';
import { ServerError } from '../../../errors/server-error.ts';
import { converted, nested, notNull, text, validated } from '../../shared/field-builders.ts';
import { readerOf } from '../../shared/fields.ts';

/** This file validates storage engine options, which are stored and returned but have no effect. */

const ENGINE = 'wiredTiger';

/** Options of a storage engine, as a document by engine. */
export const storageEngine = converted('object', (options) => {
  for (const engine of options) {
    if (engine.type !== bsonTypes.object) {
      throw new ServerError('BadValue', `'storageEngine.${engine.name}' has to be an embedded document.`);
    }
    if (engine.name !== ENGINE) {
      throw invalid(`${engine.name} is not a registered storage engine for this server`);
    }
    readEngine(documentOf(engine), ENGINE);
  }
  return options;
});

const defaults = nested({ storageEngine });

/** The default options of indexes. */
export const indexOptionDefaults = validated(defaults);

/** Settings of tables, separated by commas. */
const configString = converted(
  notNull(
    text(
      ({ type }, name) =>
        new ServerError('TypeMismatch', `'${ENGINE}.${name}' must be a string, but got ${typeName(type)}`),
    ),
  ),
  (settings, name) => {
    if (settings.includes('\0')) {
      throw new ServerError('FailedToParse', `'${ENGINE}.${name}' cannot contain an embedded null byte`);
    }
    for (const setting of settings.split(',')) checkSetting(setting.split('=')[0]?.trim() ?? '');
  },
);

const readEngine = readerOf(
  { configString },
  { unknown: (engine, name) => invalid(`'${name}' is not a supported option in ${engine}`) },
);

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
