import ipaddr from 'ipaddr.js';

/** Derives the caller's address from the peer's address and the `X-Forwarded-For` header. */
export type CallerAddress = (peer: string, forwardedFor: string | undefined) => string;

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/**
 * Returns a function that determines the address of a caller. The function reads the header from its end, up to the
 * first hop that is not a trusted proxy. `trustedProxies` are addresses or CIDR blocks. Throws a TypeError that quotes
 * the first invalid one.
 */
export function callerAddress(trustedProxies: readonly string[]): CallerAddress {
  const trusted = trustedProxies.map(parseBlock);
  if (trusted.length === 0) return (peer) => normalAddress(peer);
  const isTrusted = (address: string) => contains(trusted, address);
  return (peer, forwardedFor) => {
    let address = normalAddress(peer);
    const hops = forwardedFor?.split(',') ?? [];
    while (isTrusted(address)) {
      const hop = hops.pop()?.trim();
      // An invalid hop cannot be trusted, and neither can the hops before it.
      if (hop === undefined || !ipaddr.isValid(hop)) break;
      address = normalAddress(hop);
    }
    return address;
  };
}

/** Normalizes an address: IPv4-mapped IPv6 becomes IPv4, zones are dropped, zeros are shortened. */
export function normalAddress(text: string): string {
  // Fast path: nearly every peer is plain IPv4.
  if (!text.includes(':')) return text;
  const zone = text.indexOf('%');
  const bare = zone < 0 ? text : text.slice(0, zone);
  return ipaddr.isValid(bare) ? ipaddr.process(bare).toString() : text;
}

/** Number of bits of the part of an IPv6 address that a provider assigns to a customer (RFC 6177). */
const NETWORK_BITS = 64;

/**
 * Returns the unit for limits per address: an IPv4 address itself, or the first 64 bits of an IPv6 address. A provider
 * assigns all addresses with the same first 64 bits to one customer, who could evade a limit per address by changing
 * the address.
 */
export function networkOf(address: string): string {
  // Fast path: nearly every peer is plain IPv4.
  if (!address.includes(':')) return address;
  const bare = normalAddress(address);
  if (!ipaddr.IPv6.isValid(bare)) return bare;
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${bare}/${NETWORK_BITS}`)}/${NETWORK_BITS}`;
}

export type Block = readonly [network: Address, prefix: number];

export function parseBlock(text: string): Block {
  try {
    if (text.includes('/')) return ipaddr.parseCIDR(text);
    const address = ipaddr.process(text);
    return [address, address.kind() === 'ipv4' ? 32 : 128];
  } catch {
    throw new TypeError(`"${text}" is neither an IP address nor a CIDR block`);
  }
}

/**
 * Normalizes a block: `192.0.2.7` and `192.0.2.7/32` → `192.0.2.7/32`; IPv4-mapped IPv6 becomes IPv4. Undefined
 * for anything else.
 */
export function canonicalBlock(text: string): string | undefined {
  const isAddress = ipaddr.IPv6.isValid(text) || ipaddr.IPv4.isValidFourPartDecimal(text);
  if (!isAddress && !ipaddr.isValidCIDR(text)) return undefined;
  if (isAddress && text.includes('%')) return undefined;
  const [network, prefix] = parseBlock(text);
  const isMapped = network instanceof ipaddr.IPv6 && network.isIPv4MappedAddress();
  if (isMapped && prefix >= MAPPED_PREFIX) return `${network.toIPv4Address()}/${prefix - MAPPED_PREFIX}`;
  return `${network}/${prefix}`;
}

/** Number of bits before the IPv4 address in `::ffff:192.0.2.7`. */
const MAPPED_PREFIX = 96;

/** Returns the address of a block of size one; undefined for a larger block. */
export function singleAddress(cidr: string): string | undefined {
  const [address = '', prefix] = cidr.split('/');
  return prefix === (address.includes(':') ? '128' : '32') ? address : undefined;
}

export function contains(blocks: readonly Block[], address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  return blocks.some(
    ([network, prefix]) => network.kind() === parsed.kind() && parsed.match(network, prefix),
  );
}
