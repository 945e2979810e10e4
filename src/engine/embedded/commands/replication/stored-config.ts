import { encodeDocument } from '../../bson/encode.ts';
import { RawDocument } from '../../bson/raw.ts';
import { type Place, readStored, writeStored } from '../../parameters/stored.ts';
import type { ClusterContext } from '../context/cluster.ts';
import { configOfSet } from './replica-set.ts';

const PLACE: Place = { database: 'local', collection: 'system.replset' };

/** Keeps the configuration of the replica set where members have theirs: helpers of the shell read it there. */
export function storeConfig({ store, topology }: Pick<ClusterContext, 'store' | 'topology'>): void {
  const { _id, ...config } = configOfSet(topology);
  const before = readStored(store, PLACE, _id);
  if (before?.equals(new RawDocument(encodeDocument({ _id, ...config })))) return;
  store.write(() => writeStored(store, PLACE, _id, config));
}
