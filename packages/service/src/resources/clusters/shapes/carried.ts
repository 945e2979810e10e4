import type Type from 'typebox';
import type { EntryKind } from '../model/expressible.ts';
import type { Cluster } from './contract/schema.ts';
import type { RegionConfigsCluster } from './region-configs/schema.ts';

/**
 * The contract's shape cannot represent clusters with several providers, or with different sizes for different kinds of
 * node. Bodies in shapes with region configs are therefore not converted to it. Instead, the contract's fields carry
 * the body until it is read. Responses work the same way.
 */
const regionConfigsBody = Symbol('a body in a shape with region configs');

export interface RegionConfigsBody {
  readonly kind: EntryKind;
  readonly body: RegionConfigsCluster;
}

type Body = Type.Static<typeof Cluster>;

/** Returns a `read` function of a version's shape that makes the contract's fields carry a body. */
export const carryBody = (kind: EntryKind) => (body: RegionConfigsCluster) => {
  return { [regionConfigsBody]: { kind, body } } as Body;
};

export function carriedBody(body: Body): RegionConfigsBody | undefined {
  return (body as { readonly [regionConfigsBody]?: RegionConfigsBody })[regionConfigsBody];
}
