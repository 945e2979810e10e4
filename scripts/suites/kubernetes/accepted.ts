import { until } from '../adopted/until.ts';
import type { RealObject, RealServer } from './api-server.ts';

interface Nodes {
  readonly size: number;
}

interface Spec {
  readonly replsets: readonly (Nodes & {
    readonly name: string;
    readonly hidden?: Nodes;
    readonly nonvoting?: Nodes;
  })[];
  readonly sharding: { readonly enabled: boolean; readonly configsvrReplSet?: Nodes };
}

const GROUP = '/apis/psmdb.percona.com/v1';

const pathOf = ({ metadata }: RealObject) =>
  `${GROUP}/namespaces/${metadata?.namespace}/perconaservermongodbs/${metadata?.name}`;

async function clusterResources(server: RealServer): Promise<readonly RealObject[]> {
  return (await server.call('GET', `${GROUP}/perconaservermongodbs`)).body.items ?? [];
}

/**
 * Prepares the resources that tests have left for the operator. Removes those of the client, which have no nodes. Removes
 * the statuses that tests have written, because the operator would wait for servers that run according to them.
 */
export async function cleared(server: RealServer): Promise<void> {
  for (const resource of await clusterResources(server)) {
    const path = pathOf(resource);
    if (resource.spec?.replsets !== undefined) {
      await server.call('PATCH', `${path}/status?fieldManager=suite`, { status: null });
      continue;
    }
    await server.call('PATCH', `${path}?fieldManager=suite`, { metadata: { finalizers: null } });
    await server.call('DELETE', path);
  }
}

/**
 * Waits until the operator has created a StatefulSet with the wanted number of nodes for each kind of nodes in all
 * resources of clusters. Throws if it reports an error about one of them.
 */
export async function accepted(server: RealServer): Promise<void> {
  const resources = await clusterResources(server);
  for (const resource of resources) await isAccepted(server, resource);
  console.log(`ok  the operator has created the StatefulSets of all ${resources.length} resources`);
}

async function isAccepted(server: RealServer, resource: RealObject): Promise<void> {
  const { metadata, spec } = resource;
  const { namespace, name } = metadata ?? {};
  const wanted = Object.entries(sizesOf(String(name), spec as unknown as Spec));
  await until(`the StatefulSets of ${name}`, async () => {
    const { status } = (await server.call('GET', pathOf(resource))).body;
    if (status?.state === 'error') throw new Error(`the operator rejects ${name}: ${status.message}`);
    const { items = [] } = (await server.call('GET', `/apis/apps/v1/namespaces/${namespace}/statefulsets`))
      .body;
    const sizes = new Map(items.map((item) => [item.metadata?.name, item.spec?.replicas]));
    return wanted.every(([set, size]) => sizes.get(set) === size) || undefined;
  });
}

/** The wanted numbers of nodes, by the name of the StatefulSet. */
function sizesOf(name: string, { replsets, sharding }: Spec): Record<string, number> {
  const sets = replsets.flatMap(({ name: set, size, hidden, nonvoting }) => [
    [`${name}-${set}`, size],
    ...(nonvoting === undefined ? [] : [[`${name}-${set}-nv`, nonvoting.size]]),
    ...(hidden === undefined ? [] : [[`${name}-${set}-hidden`, hidden.size]]),
  ]);
  const config = sharding.enabled ? [[`${name}-cfg`, sharding.configsvrReplSet?.size]] : [];
  return Object.fromEntries([...sets, ...config]);
}
