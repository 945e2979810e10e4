export { openKubernetes } from './client/open.ts';
export { exportStorageName } from './engine/backup-storage.ts';
export type { EngineBackups } from './engine/backups.ts';
export { type KubernetesEngine, kubernetesEngine } from './engine/engine.ts';
export type { Clusters, ForeignChange } from './engine/parts.ts';
export {
  type BackupSettings,
  type BackupStorage,
  defaultBackupImage,
  defaultImages,
  type ExportBucket,
  type NodeSize,
  type ResourceSettings,
  type WantedCluster,
} from './engine/wanted.ts';
