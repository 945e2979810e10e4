import type { ClusterModel } from '../model/cluster.ts';

/**
 * The key under which a response contains the cluster itself, for code that needs more than the fields of the response.
 */
const model = Symbol('the cluster of a response');

export function carryModel<View extends object>(view: View, cluster: ClusterModel): View {
  return Object.assign(view, { [model]: cluster });
}

export function carriedModel(view: object): ClusterModel | undefined {
  return (view as { readonly [model]?: ClusterModel })[model];
}

/** Returns the parameters of the link to the last load of sample data; empty if none was loaded. */
export function loadParams(view: object): { readonly sampleDatasetId?: string } {
  const sampleDatasetId = carriedModel(view)?.spec.sampleLoad;
  return sampleDatasetId === undefined ? {} : { sampleDatasetId };
}
