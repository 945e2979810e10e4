import {
  type Capability,
  capabilities,
  defaultEngine,
  type EngineKind,
  type EngineName,
  type EngineTrait,
  engineKinds,
  lackOf,
} from '@portolan/engine/interface/capabilities';
import type { ClusterModel, Placement } from './cluster.ts';
import { capabilityFaults } from './faults.ts';

type Placed = { readonly placement: Pick<Placement, 'engine' | 'engineFacts' | 'found'> };

export function engineOf({ placement: { engine, found } }: Placed): EngineName {
  return engine ?? found?.engine ?? defaultEngine;
}

/** Returns why the engine of a cluster lacks a capability; undefined if the engine has it. */
function lackingIn(cluster: Placed, capability: Capability): string | undefined {
  const { found, engineFacts = [] } = cluster.placement;
  return lackOf(engineKinds[engineOf(cluster)], capability, found?.facts ?? engineFacts);
}

/** Whether the engine of a cluster has a capability. */
export function can(cluster: Placed, capability: Capability): boolean {
  return lackingIn(cluster, capability) === undefined;
}

/** Whether the engine of a cluster has a trait. */
export function hasTrait(cluster: Placed, trait: EngineTrait): boolean {
  const { traits }: EngineKind = engineKinds[engineOf(cluster)];
  return traits.includes(trait);
}

/** Whether the engine of a cluster needs the passwords of users, not only their SCRAM verifiers. */
export function needsPasswords(cluster: Placed): boolean {
  return hasTrait(cluster, 'storedPasswords') && can(cluster, 'users');
}

/** Throws NOT_SUPPORTED_BY_ENGINE, with the engine and its reason, if the engine of a cluster lacks a capability. */
export function assertCan(cluster: Placed & Pick<ClusterModel, 'name'>, capability: Capability): void {
  const reason = lackingIn(cluster, capability);
  if (reason === undefined) return;
  throw capabilityFaults.NOT_SUPPORTED_BY_ENGINE(
    engineOf(cluster),
    capabilities[capability],
    cluster.name,
    reason,
  );
}

/** Returns all capabilities that the engine of a cluster lacks, with their reasons. */
export function missingCapabilities(cluster: Placed): { readonly name: string; readonly reason: string }[] {
  const names = Object.keys(capabilities) as Capability[];
  return names.flatMap((name) => {
    const reason = lackingIn(cluster, name);
    return reason === undefined ? [] : [{ name, reason }];
  });
}
