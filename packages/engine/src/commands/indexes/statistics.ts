import { type CollationSpec, describeCollation } from '../../bson/collation/index.ts';
import { encodeDocument } from '../../bson/encode.ts';
import { RawDocument } from '../../bson/raw.ts';
import type { UniqueKey } from '../../language/pipeline/pipeline-environment.ts';
import type { Collection } from '../../storage/collection/collection.ts';
import type { ClusterContext } from '../context/cluster.ts';
import { idIndexOf } from './specifications.ts';

/** Returns the documents of `$indexStats`: each index with the number of uses since the cluster was opened. */
export function indexStatistics(
  collection: Collection,
  host: string,
  cluster: ClusterContext,
): RawDocument[] {
  const since = new Date(cluster.clock.now() - cluster.clock.uptime() * 1000);
  const described = (spec: RawDocument, uses: number) =>
    new RawDocument(
      encodeDocument({
        name: spec.get('name'),
        key: spec.get('key'),
        host,
        accesses: { ops: BigInt(uses), since },
        spec,
      }),
    );
  return [
    described(idIndexOf(collection), collection.idUses),
    ...collection.indexes.map(({ spec, uses }) => described(spec, uses)),
  ];
}

/**
 * Returns the unique indexes with the given collation. Omits partial indexes, which do not contain all
 * documents.
 */
export function uniqueKeysOf(
  collection: Collection | undefined,
  collation: CollationSpec | undefined,
): UniqueKey[] {
  const wanted = collation && describeCollation(collation);
  const collatesSo = (own: RawDocument | undefined) =>
    own === undefined || wanted === undefined ? own === wanted : own.equals(wanted);
  const unique = (collection?.indexes ?? []).filter(
    (index) =>
      index.unique &&
      index.partialFilter === undefined &&
      index.kind === 'ordinary' &&
      collatesSo(index.spec.document('collation')),
  );
  return [
    { fields: ['_id'], sparse: false },
    ...unique.map(({ key, spec }) => ({
      fields: [...key].map(({ name }) => name).sort(),
      sparse: spec.bool('sparse') === true,
    })),
  ];
}
