import type { EmbeddedEngine } from '@portolan/engine/management';
import { connectionsWithin, openFileLimit } from '@portolan/foundation/open-files';
import type { Access } from '../../access/index.ts';
import { type Api, createApi } from '../../api/index.ts';
import { dialects } from '../../dialects/index.ts';
import type { Family, FaultInjection } from '../../resources/family.ts';
import type { InstanceSlot } from '../service-instances.ts';
import type { Config } from '../settings.ts';
import type { ServiceCertificate } from './certificate.ts';
import { faultTables, mounts } from './mounts.ts';
import type { OpenServices } from './services.ts';
import { troubleOf } from './trouble.ts';

interface Parts {
  readonly config: Config;
  readonly families: readonly Family[];
  readonly services: OpenServices;
  readonly access: Access;
  readonly engine: EmbeddedEngine;
  readonly dataDirectory: string;
  readonly certificate: ServiceCertificate | undefined;
  readonly faultInjection: FaultInjection | undefined;
  readonly slot: InstanceSlot;
}

/** Creates the HTTP layer. It does not listen yet. */
export function openApi(parts: Parts): Api {
  const { config, families, services, access, certificate } = parts;
  const described = {
    operations: families.flatMap((family) => family.operations),
    parameters: Object.assign({}, ...families.map((family) => family.parameters)),
    rateLimited: config['rate-limited'] ?? [],
  };
  return createApi({
    ...described,
    dialects,
    services,
    access,
    sessions: families.flatMap((family) => family.sessions ?? []).map((open) => open(services))[0],
    mounts: [
      ...families.flatMap((family) => (family.mounts ?? []).map((mount) => mount(services))),
      ...mounts(access, {
        ...described,
        endpoints: services.console === undefined ? [] : families.flatMap((family) => family.endpoints ?? []),
        faults: faultTables(families),
        get publicUrl() {
          return services.publicUrl;
        },
        serviceVersion: services.version,
      }),
    ],
    ...(certificate ? { tls: certificate.source.current() } : {}),
    trustedProxies: config['trusted-proxies'] ?? [],
    strictVersions: config['strict-versions'],
    limits: { connections: connectionsWithin(openFileLimit()) },
    requestGate: parts.slot.requestGate,
    injectFault: parts.faultInjection?.request,
    trouble: () => troubleOf(parts),
    build: { version: services.version, commit: services.build },
  });
}

/** Opens the family that injects declared faults, if the service has it. */
export function openFaultInjection(
  families: readonly Family[],
  services: OpenServices,
): FaultInjection | undefined {
  return families.flatMap((family) => family.faultInjection ?? []).map((open) => open(services))[0];
}

/** Makes the server use the current certificate now, and each new certificate when it is renewed. */
export function presentCertificate({ server }: Api, certificate: ServiceCertificate | undefined): void {
  const present = (next: object) => {
    if ('setSecureContext' in server && typeof server.setSecureContext === 'function')
      server.setSecureContext(next);
  };
  // The port is still open after a restore, and the restored state may contain another certificate.
  if (certificate && server.listening) present(certificate.source.current());
  certificate?.source.onChange(present);
}
