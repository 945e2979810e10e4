export { openKubernetes } from './client/open.ts';
export type { EngineBackups } from './engine/backups.ts';
export { type KubernetesEngine, kubernetesEngine } from './engine/engine.ts';
export type { Clusters, ForeignChange } from './engine/parts.ts';
export {
  type BackupSettings,
  defaultBackupImage,
  defaultImages,
  type NodeSize,
  type ResourceSettings,
  type WantedCluster,
} from './engine/wanted.ts';
