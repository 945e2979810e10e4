import type { SampleCollection } from './generated.ts';
import { filmCollections } from './vendor-films.ts';
import { placeCollections } from './vendor-places.ts';
import { tradeCollections } from './vendor-trade.ts';
import { trainingCollections } from './vendor-training.ts';

/**
 * The sample data of the vendor's form: about 1,500 documents in the databases, collections and fields that the vendor
 * documents, so that tutorials find them. A formula generates the values; none of them comes from the vendor's data.
 */
export function vendorCollections(): SampleCollection[] {
  return [...filmCollections(), ...tradeCollections(), ...placeCollections(), ...trainingCollections()];
}
