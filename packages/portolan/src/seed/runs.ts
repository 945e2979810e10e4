import { ConfigError } from '@portolan/foundation/command-line';
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

  async begin(document: object): Promise<SeedRun | undefined> {
    const { checkSeed } = await import('./file.ts');
    const seed = checkSeed(document);
    requireNoFiles(seed);
    const service = this.#service;
    if (service === undefined || this.#last?.status === 'APPLYING') return undefined;
    // The run contains the error, which `getSeed` returns.
    this.#run(service, seed, 'REQUEST', undefined).catch(() => {});
    return this.#last;
  }

  /** Applies the seed of a start. `file` is the path of the seed file. */
  apply(service: Service, seed: Seed, file: string | undefined): Promise<void> {
    return this.#run(service, seed, 'START', file);
  }

  async #run(
    service: Service,
    seed: Seed,
    origin: SeedRun['origin'],
    file: string | undefined,
  ): Promise<void> {
    const results: SeedResult[] = [];
    const run = { origin, seed, results };
    this.#last = { ...run, status: 'APPLYING' };
    try {
      const { applySeed } = await import('./seed.ts');
      await applySeed({ service, file, report: (result) => results.push(result) }, seed);
      this.#last = { ...run, status: 'APPLIED' };
    } catch (error) {
      this.#last = { ...run, status: 'FAILED', problem: asError(error).message };
      throw error;
    }
  }
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
