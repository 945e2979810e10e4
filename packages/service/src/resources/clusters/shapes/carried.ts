import type Type from 'typebox';
import type { EntryKind } from '../model/expressible.ts';
import type { Cluster } from './contract/schema.ts';
import type { RegionConfigsCluster } from './region-configs/schema.ts';

/**
 * The contract's shape cannot represent clusters with several providers, or with different sizes for different kinds of
 * node. A body in a shape with region configs is therefore not converted to the contract's shape. Until it is read, an
 * otherwise empty object contains the body under this key. Responses contain the cluster in a similar way (see
 * `carried-model.ts`).
 */
const regionConfigsBody = Symbol('a body in a shape with region configs');

export interface RegionConfigsBody {
  readonly kind: EntryKind;
  readonly body: RegionConfigsCluster;
}

type Body = Type.Static<typeof Cluster>;

/**
 * Returns the `read` function of a version, which puts the unconverted body under `regionConfigsBody` into an empty
 * object. Only the type of this object is that of a body in the contract's shape.
 */
export const carryBody = (kind: EntryKind) => (body: RegionConfigsCluster) => {
  return { [regionConfigsBody]: { kind, body } } as Body;
};

export function carriedBody(body: Body): RegionConfigsBody | undefined {
  return (body as { readonly [regionConfigsBody]?: RegionConfigsBody })[regionConfigsBody];
}
