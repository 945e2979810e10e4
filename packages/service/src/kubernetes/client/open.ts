import type { Configuration, KubeConfig } from '@kubernetes/client-node';
import type { MachineClock } from '@portolan/foundation/clock';
import { KIND_MISSING, kinds } from '../engine/kinds.ts';
import type { KubernetesApi, KubernetesObject } from '../engine/port.ts';
import { FIELD_MANAGER } from '../engine/resource.ts';
import { LIMIT_MS, withinLimit } from './limit.ts';
import { refusalOf } from './refusal.ts';
import { type ClientModule, openWatch } from './watch.ts';

/**
 * Opens the API of a Kubernetes cluster: with a kubeconfig file, or with the account of the pod in which the
 * service runs. Throws if the file cannot be read, has no current cluster, or is not given outside a pod. The
 * client is loaded on first use, since most services do not need it.
 */
export async function openKubernetes(
  kubeconfig: string | undefined,
  machine: MachineClock,
): Promise<KubernetesApi> {
  const client: ClientModule = await import('@kubernetes/client-node');
  const { KubeConfig, PatchStrategy } = client;
  const config = new KubeConfig();
  if (kubeconfig !== undefined) config.loadFromFile(kubeconfig);
  else if (process.env.KUBERNETES_SERVICE_HOST !== undefined) config.loadFromCluster();
  else throw new Error('this is not a pod: the variable KUBERNETES_SERVICE_HOST is not set');
  if (config.getCurrentCluster() === null) throw new Error('it has no current cluster');
  const closing = new AbortController();
  const objects = objectsOf(client, config, closing.signal);

  const header = (kind: keyof typeof kinds, namespace: string, name: string) => ({
    ...{ apiVersion: kinds[kind].apiVersion, kind },
    metadata: kind === 'Namespace' ? { name } : { name, namespace },
  });
  async function send<T>(kind: string, call: () => Promise<unknown>): Promise<T> {
    try {
      return (await withinLimit(machine, call())) as T;
    } catch (error) {
      throw refusalOf(error, kind);
    }
  }
  const absent = (error: unknown): undefined => {
    const { code, reason } = error as { readonly code?: unknown; readonly reason?: unknown };
    if (code === 404 && reason !== KIND_MISSING) return undefined;
    throw error;
  };

  return {
    apply: (object) =>
      send(object.kind ?? '', () =>
        objects.patch(
          object as Parameters<typeof objects.patch>[0],
          ...([undefined, undefined, FIELD_MANAGER, true, PatchStrategy.ServerSideApply] as const),
        ),
      ),
    get: (kind, namespace, name) =>
      send<KubernetesObject>(kind, () => objects.read(header(kind, namespace, name))).catch(absent),
    list: async (kind, labelSelector) => {
      const blank = [undefined, undefined, undefined, undefined, undefined] as const;
      const list = () => objects.list(kinds[kind].apiVersion, kind, ...blank, labelSelector);
      return (await send<{ readonly items: readonly KubernetesObject[] }>(kind, list)).items;
    },
    delete: (kind, namespace, name) =>
      send<void>(kind, () => objects.delete(header(kind, namespace, name))).catch(absent),
    watch: (kind, handlers, { labelSelector } = {}) =>
      openWatch({ client, config, objects, machine }, { kind, labelSelector }, handlers),
    close: () => closing.abort(new Error('the client was closed')),
  };
}

/** Time between the error of a request that takes too long and the end of its connection. */
const MARGIN_MS = 1_000;

/**
 * Returns the client of objects. It ends a request after the time limit, and when `closing` is aborted. Otherwise, a
 * request to a frozen server would keep the process running for minutes.
 */
function objectsOf({ KubernetesObjectApi }: ClientModule, config: KubeConfig, closing: AbortSignal) {
  class EndingObjectApi extends KubernetesObjectApi {
    constructor(configuration: Configuration) {
      const { httpApi } = configuration;
      const send: typeof httpApi.send = (request) => {
        request.setSignal(AbortSignal.any([closing, AbortSignal.timeout(LIMIT_MS + MARGIN_MS)]));
        return httpApi.send(request);
      };
      super({ ...configuration, httpApi: { send } });
    }
  }
  return config.makeApiClient(EndingObjectApi);
}
