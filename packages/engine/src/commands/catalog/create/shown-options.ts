import { encodeDocument } from '../../../bson/encode.ts';
import { RawDocument } from '../../../bson/raw.ts';

/** Options of a collection, in the order in which they are shown. */
const order =
  `capped size max autoIndexId temp changeStreamPreAndPostImages storageEngine indexOptionDefaults validator
  validationLevel validationAction collation clusteredIndex expireAfterSeconds timeseries encryptedFields`.split(
    /\s+/,
  );

export type Options = Readonly<Record<string, unknown>>;

/** As they are kept; what is `undefined` is left out. */
export function encodeOptions(options: Options): RawDocument {
  return new RawDocument(encodeDocument(Object.fromEntries(order.map((name) => [name, options[name]]))));
}

/** The same options but for some, of which `undefined` takes one away. */
export function withOptions(options: RawDocument, changes: Options): RawDocument {
  const before = Object.fromEntries([...options].map((option) => [option.name, option]));
  return encodeOptions({ ...before, ...changes });
}
