import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Service } from '../service.ts';

interface Line {
  readonly level: string;
  readonly message: string;
  readonly reason?: string;
}

/** Returns the lines that the engine host of a service has logged. */
export function hostLog({ dataDirectory }: Service): Line[] {
  const text = readFileSync(join(dataDirectory, 'engine/host.log'), 'utf8');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);
}
