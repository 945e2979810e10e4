import { ConfigError } from '@portolan/foundation/command-line';
import type { Log } from '@portolan/foundation/log';
import { asError } from '@portolan/foundation/thrown';
import type { SeedResult, SeedRun, Seeds, Service } from '@portolan/service/service';
import type { Seed } from './file.ts';

/** Applies seeds to a service, one at a time, and keeps the result of the last one. */
export class SeedRuns implements Seeds {
  #service: Service | undefined;
  #last: SeedRun | undefined;

  last(): SeedRun | undefined {
    return this.#last;
  }

  /** Sets the service to which seeds are applied. Before this call, no seed can be applied. */
  serve(service: Service): void {
    this.#service = service;
  }

  async begin(document: object, log: Log): Promise<SeedRun | undefined> {
    const { checkSeed } = await import('./file.ts');
    const seed = checkSeed(document);
    requireNoFiles(seed);
    const shown = await withoutSecrets(seed);
    const service = this.#service;
    if (service === undefined || this.#last?.status === 'APPLYING') return undefined;
    const run = this.#run({ service, seed, file: undefined }, { origin: 'REQUEST', seed: shown });
    // The client has already received its response, so log the problem. `getSeed` returns it, too.
    run.catch(() => log.warn({ reason: this.#last?.problem }, 'a seed could not be applied'));
    return this.#last;
  }

  /** Applies the seed of a start. `file` is the path of the seed file. */
  async apply(service: Service, seed: Seed, file: string | undefined): Promise<void> {
    return this.#run({ service, seed, file }, { origin: 'START', seed: await withoutSecrets(seed) });
  }

  async #run(
    { service, seed, file }: { service: Service; seed: Seed; file: string | undefined },
    shown: Pick<SeedRun, 'origin' | 'seed'>,
  ): Promise<void> {
    const results: SeedResult[] = [];
    const run = { ...shown, results };
    this.#last = { ...run, status: 'APPLYING' };
    try {
      const { applySeed } = await import('./seed.ts');
      await applySeed({ service, file, report: (result) => results.push(result) }, seed);
      this.#last = { ...run, status: 'APPLIED' };
    } catch (error) {
      const { DataRejected } = await import('./requests.ts');
      const problem = error instanceof DataRejected ? error.shown : asError(error).message;
      this.#last = { ...run, status: 'FAILED', problem };
      throw error;
    }
  }
}

async function withoutSecrets(seed: Seed): Promise<SeedRun['seed']> {
  const { shownSeed } = await import('@portolan/service/seeds');
  return shownSeed(seed);
}

/** Rejects a seed that would make the service read files of its machine for the sender of a request. */
function requireNoFiles({ projects = [], organizations = [] }: Seed): void {
  const parts = [
    { place: '', projects },
    ...organizations.map((one, index) => ({
      place: `organizations[${index}].`,
      projects: one.projects ?? [],
    })),
  ];
  for (const part of parts)
    for (const [p, project] of part.projects.entries())
      for (const [c, { data = [] }] of (project.clusters ?? []).entries())
        for (const [d, { file }] of data.entries())
          if (file !== undefined)
            throw new ConfigError(
              `${part.place}projects[${p}].clusters[${c}].data[${d}].file is allowed only in seed files`,
            );
}
