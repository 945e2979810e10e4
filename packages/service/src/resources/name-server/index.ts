import type { Background, Family } from '../family.ts';
import type { Services } from '../services.ts';
import { recordsOf } from './answers.ts';

/**
 * Answers the names of clusters below `--domain`, where `--dns-listen` says: SRV and TXT records for `mongodb+srv://`, and
 * the addresses of members. It keeps no records: each answer is read from the clusters there are.
 */
function answerNames({ naming, store, log }: Services): Background {
  const { domain, dns } = naming;
  if (domain === undefined || dns === undefined) return { stop: async () => {} };
  const started = import('./server.ts').then(({ listenForNames }) =>
    listenForNames(dns, {
      domain,
      find: (question) => store.read((tx) => recordsOf(tx, question, naming)),
      onError: (error) => log.warn({ reason: error.message }, 'a name could not be answered'),
    }),
  );
  started.then(
    ({ port }) => log.info({ host: dns.host, port, domain }, 'names are answered'),
    (error: Error) => log.error({ ...dns, reason: error.message }, 'names cannot be answered'),
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
  background: [answerNames],
};
