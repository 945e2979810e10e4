import { ConfigError } from '@portolan/foundation/command-line';
import { errorMessage } from '@portolan/foundation/thrown';
import type { KubernetesEngine, ResourceSettings } from '../../kubernetes/index.ts';
import { recordEngineFacts } from '../../resources/clusters/index.ts';
import { ensureHost, KUBERNETES_HOST } from '../../resources/engine-hosts/index.ts';
import { clustersOnKubernetes } from '../../resources/kubernetes/index.ts';
import type { Services } from '../../resources/services.ts';
import type { Config } from '../settings.ts';
import type { NewEngines } from './new-engines.ts';

/**
 * Opens the engine for Kubernetes; undefined if there is no kubeconfig and no new cluster runs on Kubernetes.
 */
export async function openKubernetesEngine(
  config: Config,
  { usesKubernetes }: NewEngines,
  parts: Pick<Services, 'store' | 'secrets' | 'machine' | 'log'>,
): Promise<KubernetesEngine | undefined> {
  const { kubeconfig } = config;
  if (kubeconfig === undefined && !usesKubernetes) return undefined;
  const { defaultBackupImage, defaultImages, kubernetesEngine, openKubernetes } = await import(
    '../../kubernetes/index.ts'
  );
  const api = await openKubernetes(kubeconfig, parts.machine).catch((error) => {
    const source = kubeconfig === undefined ? 'the engine kubernetes' : `--kubeconfig ${kubeconfig}`;
    throw new ConfigError(`${source} cannot be used: ${errorMessage(error)}`);
  });
  const images = { ...defaultImages, ...config['kubernetes-images'] };
  // Load this file only here, since it loads a validator of 300 modules.
  const { readBackups } = await import('./kubernetes-backups.ts');
  const backups = await readBackups(config['kubernetes-backups'], parts.secrets, defaultBackupImage);
  const engine = kubernetesEngine({
    ...{ api, machine: parts.machine, log: parts.log },
    clusters: clustersOnKubernetes(parts),
    settings: { ...settingsOf(config), images, backups },
  });
  await parts.store.write(async (tx) => {
    await ensureHost(tx, KUBERNETES_HOST);
    await recordEngineFacts(tx, KUBERNETES_HOST, engine.engineFacts);
  });
  return engine;
}

function settingsOf(config: Config): Omit<ResourceSettings, 'backups' | 'images'> {
  return {
    namespacePrefix: config['kubernetes-namespace-prefix'],
    storageClass: config['kubernetes-storage-class'],
    expose: config['kubernetes-expose'],
    anyNode: config['kubernetes-any-node'],
    deletesVolumes: config['kubernetes-delete-volumes'],
  };
}
