/**
 * Replaces the resolver of the system in a program that preloads this file. The server in `NAME_SERVER` resolves names;
 * addresses resolve as usual.
 */
import dns from 'node:dns';
import { isIP } from 'node:net';

dns.setServers([process.env.NAME_SERVER]);
const { lookup } = dns;
dns.lookup = (name, options, done = options) => {
  if (isIP(name) || name === 'localhost') return lookup(name, options, done);
  return dns.resolve4(name, (error, addresses = []) => {
    if (error) return done(error);
    if (options.all)
      return done(
        null,
        addresses.map((address) => ({ address, family: 4 })),
      );
    return done(null, addresses[0], 4);
  });
};
