import { bsonTypes } from '../../bson/bson-types.ts';
import type { RawDocument } from '../../bson/raw.ts';
import { CappedCollection } from './capped.ts';
import { ClusteredCollection } from './clustered.ts';
import { Collection } from './collection.ts';
import { SeriesCollection } from './series.ts';

/** Returns the class for collections with these options. */
export function collectionKind(options: RawDocument): typeof Collection {
  if (options.isEmpty) return Collection;
  if (options.get('capped')?.type === bsonTypes.bool && options.bool('capped')) return CappedCollection;
  if (options.has('timeseries')) return SeriesCollection;
  return options.has('clusteredIndex') ? ClusteredCollection : Collection;
}
