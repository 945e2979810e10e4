import { ConfigError } from '@portolan/foundation/command-line';
import { faults } from '@portolan/foundation/faults';
import { shownBody } from '../../api/inspect/secrets.ts';
import type { SeedRun, Seeds } from '../services.ts';

export const seedFaults = faults({
  SEED_INVALID: [400, 'The seed is invalid: {0}.'],
  SEED_CANNOT_BE_APPLIED: [409, 'Another seed is being applied, or the service is starting.'],
});

/** Begins to apply a seed. Throws if it is invalid, or if another seed is being applied. */
export async function beginSeed(seeds: Seeds, document: object): Promise<SeedRun> {
  try {
    const run = await seeds.begin(document);
    if (run === undefined) throw seedFaults.SEED_CANNOT_BE_APPLIED();
    return run;
  } catch (error) {
    if (error instanceof ConfigError) throw seedFaults.SEED_INVALID(error.message);
    throw error;
  }
}

/** The seed as operators see it: with numbers of documents instead of documents, and without secrets. */
export function presentSeed(run: SeedRun | undefined) {
  if (run === undefined) return { status: 'NONE' as const };
  const text = JSON.stringify(run.seed, (name, value: unknown) =>
    name === 'documents' && Array.isArray(value) ? value.length : value,
  );
  const { status, origin, problem, results } = run;
  return {
    status,
    origin,
    problem,
    results: [...results],
    seed: JSON.parse(shownBody(text) ?? '{}') as Record<string, unknown>,
  };
}
