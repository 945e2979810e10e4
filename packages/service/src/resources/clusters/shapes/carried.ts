import type Type from 'typebox';
import type { EntryKind } from '../model/expressible.ts';
import type { Cluster } from './contract/schema.ts';
import type { RegionConfigsCluster } from './region-configs/schema.ts';

/**
 * The contract's shape cannot represent clusters with several providers or with sizes by kind of node, so shapes with
 * region configs are not converted to it: a body is attached to the contract's fields until it is read, and a response
 * likewise.
 */
const regionConfigsBody = Symbol('a body in a shape with region configs');

export interface RegionConfigsBody {
  readonly kind: EntryKind;
  readonly body: RegionConfigsCluster;
}

type Body = Type.Static<typeof Cluster>;

/** Attaches a body to the contract's fields; used as `read` of the shape of a version. */
export const carryBody = (kind: EntryKind) => (body: RegionConfigsCluster) => {
  return { [regionConfigsBody]: { kind, body } } as Body;
};

export function carriedBody(body: Body): RegionConfigsBody | undefined {
  return (body as { readonly [regionConfigsBody]?: RegionConfigsBody })[regionConfigsBody];
}
