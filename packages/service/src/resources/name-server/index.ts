import type { Background, Family } from '../family.ts';
import type { Services } from '../services.ts';
import { recordsOf } from './answers.ts';

/**
 * Starts the DNS server for names below `--domain`, at the address `--dns-listen`. The server answers queries for SRV
 * and TXT records, which `mongodb+srv://` requires, and for the addresses of members. It stores no records: each
 * response is computed from the current clusters.
 */
function serveNames({ naming, store, log }: Services): Background {
  const { domain, dns } = naming;
  if (domain === undefined || dns === undefined) return { stop: async () => {} };
  const started = import('./server.ts').then(({ listenForNames }) =>
    listenForNames(dns, {
      domain,
      find: (question) => store.read((tx) => recordsOf(tx, question, naming)),
      onError: (error) => log.warn({ reason: error.message }, 'a DNS query failed'),
    }),
  );
  started.then(
    ({ port }) => log.info({ host: dns.host, port, domain }, 'DNS server is listening'),
    (error: Error) => log.error({ ...dns, reason: error.message }, 'DNS server cannot listen'),
  );
  return {
    async stop() {
      await started.then((server) => server.close()).catch(() => {});
    },
  };
}

export const family: Family = {
  name: 'name-server',
  operations: [],
  background: [serveNames],
};
