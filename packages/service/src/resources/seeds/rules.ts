import { ConfigError } from '@portolan/foundation/command-line';
import { shownBody } from '../../api/inspect/secrets.ts';
import type { SeedRun, Services } from '../services.ts';
import { seedFaults } from './faults.ts';

/** Begins to apply a seed. Throws if it is invalid, or if another seed is being applied. */
export async function beginSeed(
  { seeds, log }: Pick<Services, 'log' | 'seeds'>,
  document: object,
): Promise<SeedRun> {
  try {
    const run = await seeds.begin(document, log);
    if (run === undefined) throw seedFaults.SEED_CANNOT_BE_APPLIED();
    return run;
  } catch (error) {
    if (error instanceof ConfigError) throw seedFaults.SEED_INVALID(error.message);
    throw error;
  }
}

/** Returns a seed without secrets, and with the number of documents in place of the documents. */
export function shownSeed(seed: object): Readonly<Record<string, unknown>> {
  const text = JSON.stringify(seed, (name, value: unknown) =>
    name === 'documents' && Array.isArray(value) ? value.length : value,
  );
  return JSON.parse(shownBody(text) ?? '{}') as Record<string, unknown>;
}

export function presentSeed(run: SeedRun | undefined) {
  if (run === undefined) return { status: 'NONE' as const };
  const { results, ...rest } = run;
  return { ...rest, results: [...results] };
}
