import type Type from 'typebox';
import type { EntryKind } from '../model/expressible.ts';
import type { Cluster } from './contract/schema.ts';
import type { RegionConfigsCluster } from './region-configs/schema.ts';

/**
 * The contract's shape cannot represent clusters with several providers, or with different sizes for different kinds of
 * node. A body in a shape with region configs is therefore not converted to the contract's shape. It is stored under
 * this key of an otherwise empty object until it is read. Responses work the same way.
 */
const regionConfigsBody = Symbol('a body in a shape with region configs');

export interface RegionConfigsBody {
  readonly kind: EntryKind;
  readonly body: RegionConfigsCluster;
}

type Body = Type.Static<typeof Cluster>;

/**
 * Returns the `read` function of a version. It stores the body, unconverted, under `regionConfigsBody` of an otherwise
 * empty object, which only the compiler takes for a body in the contract's shape.
 */
export const carryBody = (kind: EntryKind) => (body: RegionConfigsCluster) => {
  return { [regionConfigsBody]: { kind, body } } as Body;
};

export function carriedBody(body: Body): RegionConfigsBody | undefined {
  return (body as { readonly [regionConfigsBody]?: RegionConfigsBody })[regionConfigsBody];
}
