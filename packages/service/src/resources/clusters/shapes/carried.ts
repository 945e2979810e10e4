import type Type from 'typebox';
import type { EntryKind } from '../model/expressible.ts';
import type { Cluster } from './contract/schema.ts';
import type { RegionConfigsCluster } from './region-configs/schema.ts';

/**
 * The key of a body in a shape with region configs, in an object without other keys. Such a body is not converted to
 * the contract's shape, because that shape has one provider and one size for all nodes. Responses contain the cluster
 * in a similar way (see `carried-model.ts`).
 */
const regionConfigsBody = Symbol('a body in a shape with region configs');

export interface RegionConfigsBody {
  readonly kind: EntryKind;
  readonly body: RegionConfigsCluster;
}

type Body = Type.Static<typeof Cluster>;

/**
 * Returns the `read` function of a version. The function puts the body into an empty object, under the key
 * `regionConfigsBody`. This object has the type of a body in the contract's shape, but none of its fields.
 */
export const carryBody = (kind: EntryKind) => (body: RegionConfigsCluster) => {
  return { [regionConfigsBody]: { kind, body } } as Body;
};

export function carriedBody(body: Body): RegionConfigsBody | undefined {
  return (body as { readonly [regionConfigsBody]?: RegionConfigsBody })[regionConfigsBody];
}
