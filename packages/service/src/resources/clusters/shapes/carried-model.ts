import type { ClusterModel } from '../model/cluster.ts';

/** Attaches the cluster to its response, for code that needs more than the fields of the shape. */
const model = Symbol('the cluster of a response');

export function carryModel<View extends object>(view: View, cluster: ClusterModel): View {
  return Object.assign(view, { [model]: cluster });
}

export function carriedModel(view: object): ClusterModel | undefined {
  return (view as { readonly [model]?: ClusterModel })[model];
}

/** Parameters of the link to the last sample data load; empty if there was none. */
export function loadParams(view: object): { readonly sampleDatasetId?: string } {
  const sampleDatasetId = carriedModel(view)?.spec.sampleLoad;
  return sampleDatasetId === undefined ? {} : { sampleDatasetId };
}
