import ipaddr from 'ipaddr.js';

export type AddressCheck = (remote: string) => boolean;

/** Returns a test of whether an address lies within one of the CIDR blocks. An invalid block matches nothing. */
export function addressCheck(blocks: readonly string[]): AddressCheck {
  const ranges = blocks.filter((block) => ipaddr.isValidCIDR(block)).map((block) => ipaddr.parseCIDR(block));
  return (remote) => {
    if (!ipaddr.isValid(remote)) return false;
    // `process` converts IPv4 addresses, which a dual-stack socket reports as `::ffff:192.0.2.1`.
    const address = ipaddr.process(remote);
    return ranges.some((range) => address.kind() === range[0].kind() && address.match(range));
  };
}
