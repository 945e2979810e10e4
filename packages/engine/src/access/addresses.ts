import ipaddr from 'ipaddr.js';

export type AddressCheck = (remote: string) => boolean;

/**
 * Returns a function that tests whether an address lies within one of the CIDR blocks. An invalid block
 * matches no address.
 */
export function addressCheck(blocks: readonly string[]): AddressCheck {
  const ranges = blocks.filter((block) => ipaddr.isValidCIDR(block)).map((block) => ipaddr.parseCIDR(block));
  return (remote) => {
    if (!ipaddr.isValid(remote)) return false;
    // A dual-stack socket reports an IPv4 address as `::ffff:192.0.2.1`. `process` converts it to
    // `192.0.2.1`.
    const address = ipaddr.process(remote);
    return ranges.some((range) => address.kind() === range[0].kind() && address.match(range));
  };
}
