import type Type from 'typebox';
import type { ClusterModel } from '../../model/cluster.ts';
import type { Cluster } from '../contract/schema.ts';
import type { NewerCluster } from './schema.ts';

/**
 * The newer shapes say what the contract's cannot (several providers, sizes by kind of node), so they are not turned
 * into it on the way: a body travels beside the contract's fields to whoever reads it, and an answer beside those of
 * the contract back out.
 */
const asked = Symbol('a body in one of the newer shapes');
const model = Symbol('the cluster that an answer shows');

/** An entry of `replicationSpecs` is a zone, or one shard. */
export type EntryKind = 'zones' | 'shards';

export interface NewerBody {
  readonly kind: EntryKind;
  readonly body: NewerCluster;
}

type Body = Type.Static<typeof Cluster>;

/** For `read` of a version's shape. */
export const carryBody = (kind: EntryKind) => (body: NewerCluster) => {
  return { [asked]: { kind, body } } as Body;
};

export function carriedBody(body: Body): NewerBody | undefined {
  return (body as { readonly [asked]?: NewerBody })[asked];
}

export function carryModel<View extends object>(view: View, cluster: ClusterModel): View {
  return Object.assign(view, { [model]: cluster });
}

export function carriedModel(view: object): ClusterModel | undefined {
  return (view as { readonly [model]?: ClusterModel })[model];
}
