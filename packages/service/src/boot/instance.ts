import type { PlainObject } from '@portolan/foundation/plain-object';
import type { Api } from '../api/index.ts';
import { clusterById } from '../resources/clusters/index.ts';
import { createLink } from '../resources/sessions/index.ts';
import { type Bootstrap, type firstAccess, organizationAccess } from './bootstrap.ts';
import { ownCalls } from './own-calls.ts';
import type { ServiceInstance } from './service-instances.ts';
import type { OpenServices } from './steps/services.ts';

interface Parts {
  readonly services: OpenServices;
  readonly api: Api;
  readonly first: Awaited<ReturnType<typeof firstAccess>>;
  readonly bootstrap: Bootstrap;
}

/** Builds the interface of an open instance. Closing the instance disposes of `running`. */
export function instanceOf(
  { services, api, first, bootstrap }: Parts,
  running: AsyncDisposableStack,
): ServiceInstance {
  return {
    bootstrap,
    isNew: first.isMade,
    states: services.states,
    call: ownCalls(api, first.access),
    async organization(organization) {
      const access = await organizationAccess(services, organization);
      return { orgId: access.orgId, call: ownCalls(api, access) };
    },
    consoleLink: () => consoleLink(services),
    run: (clusterId, command) => runOn(services, clusterId, command),
    listener: api.listener,
    close: () => running.disposeAsync(),
  };
}

async function consoleLink(services: OpenServices): Promise<string | undefined> {
  if (services.console?.folder === undefined) return undefined;
  return (await services.store.write((tx) => createLink(tx, services))).url;
}

async function runOn({ store, engines }: OpenServices, clusterId: string, command: PlainObject) {
  const cluster = await store.read((tx) => clusterById(tx, clusterId));
  if (cluster === undefined) throw new Error('the cluster is gone');
  return engines.at(cluster.host).run(clusterId, command);
}
