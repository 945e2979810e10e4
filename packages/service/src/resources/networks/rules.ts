import { faults } from '@portolan/foundation/faults';

export const networkFaults = faults({
  CANNOT_UPDATE_PRIVATE_IP_MODE: [
    400,
    'The project {0} holds clusters, so private IP mode cannot be switched on any more.',
  ],
  CLOUD_PROVIDER_CONTAINER_NOT_FOUND: [404, 'No virtual network with the id {0} exists in the project.'],
});

/** Blocks are handed out downwards from here, 2,048 addresses each. */
const HIGHEST = 248;
const STEP = 8;

/** 32 of them in 192.168.0.0/16, then those of 10.0.0.0/8. */
export function blockOf(index: number): string {
  const third = HIGHEST - STEP * (index % 32);
  return index < 32 ? `192.168.${third}.0/21` : `10.${Math.floor(index / 32) % 256}.${third}.0/21`;
}
