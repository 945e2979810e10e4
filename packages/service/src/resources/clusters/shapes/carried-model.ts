import type { ClusterModel } from '../model/cluster.ts';

/** An answer carries the cluster that it shows, for those who say more of it than the fields of its shape. */
const model = Symbol('the cluster that an answer shows');

export function carryModel<View extends object>(view: View, cluster: ClusterModel): View {
  return Object.assign(view, { [model]: cluster });
}

export function carriedModel(view: object): ClusterModel | undefined {
  return (view as { readonly [model]?: ClusterModel })[model];
}

/** What the link to the last load of the sample data needs, of a cluster that has had one. */
export function loadParams(view: object): { readonly sampleDatasetId?: string } {
  const sampleDatasetId = carriedModel(view)?.spec.sampleLoad;
  return sampleDatasetId === undefined ? {} : { sampleDatasetId };
}
