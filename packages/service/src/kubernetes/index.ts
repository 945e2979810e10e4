export { openKubernetes } from './client/open.ts';
export { type KubernetesEngine, kubernetesEngine } from './engine/engine.ts';
export type { Clusters, ForeignChange } from './engine/parts.ts';
export { defaultImages, type NodeSize, type ResourceSettings, type WantedCluster } from './engine/wanted.ts';
