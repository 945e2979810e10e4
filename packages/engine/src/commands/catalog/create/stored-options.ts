import { encodeDocument } from '../../../bson/encode.ts';
import { RawDocument } from '../../../bson/raw.ts';

/** The options of a collection in the order of replies. */
const order =
  `capped size max autoIndexId temp changeStreamPreAndPostImages storageEngine indexOptionDefaults validator
  validationLevel validationAction collation clusteredIndex expireAfterSeconds timeseries encryptedFields`.split(
    /\s+/,
  );

export type Options = Readonly<Record<string, unknown>>;

/** Encodes options in their stored form. Omits `undefined` values. */
export function encodeOptions(options: Options): RawDocument {
  return new RawDocument(encodeDocument(Object.fromEntries(order.map((name) => [name, options[name]]))));
}

/** Changes options. `undefined` removes an option. */
export function withOptions(options: RawDocument, changes: Options): RawDocument {
  const before = Object.fromEntries([...options].map((option) => [option.name, option]));
  return encodeOptions({ ...before, ...changes });
}
