import ipaddr from 'ipaddr.js';

/** Third octet of the first block. Each further block of 2,048 addresses has a lower third octet. */
const HIGHEST = 248;
const STEP = 8;

/** Returns a default block. The first 32 blocks are in 192.168.0.0/16, and the others in 10.0.0.0/8. */
export function blockOf(index: number): string {
  const third = HIGHEST - STEP * (index % 32);
  return index < 32 ? `192.168.${third}.0/21` : `10.${Math.floor(index / 32) % 256}.${third}.0/21`;
}

/** Whether two blocks of IPv4 addresses have addresses in common. */
export function overlaps(one: string, other: string): boolean {
  const [first, firstPrefix] = ipaddr.IPv4.parseCIDR(one);
  const [second, secondPrefix] = ipaddr.IPv4.parseCIDR(other);
  return first.match(second, Math.min(firstPrefix, secondPrefix));
}
