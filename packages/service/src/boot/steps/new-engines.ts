import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { NewEngine } from '@portolan/engine/interface/capabilities';
import { ConfigError } from '@portolan/foundation/command-line';
import { errorMessage } from '@portolan/foundation/thrown';
import { providers, regionNamed } from '../../resources/clusters/index.ts';
import type { EngineHosts } from '../../resources/services.ts';
import type { Config } from '../settings.ts';

const names: readonly NewEngine[] = ['embedded', 'kubernetes'];

export interface NewEngines {
  /** Whether new clusters of at least one region run on Kubernetes. */
  readonly usesKubernetes: boolean;
  engineIn(...region: Parameters<EngineHosts['forNew']>): NewEngine;
}

/**
 * Reads the engine of each region from `--engine` and the file of `--engines`. Throws a `ConfigError` that names the
 * invalid entry of the file.
 */
export async function readNewEngines({
  engine,
  engines,
}: Pick<Config, 'engine' | 'engines'>): Promise<NewEngines> {
  const named = engines === undefined ? new Map<string, NewEngine>() : await readEngines(resolve(engines));
  return {
    usesKubernetes: engine === 'kubernetes' || [...named.values()].includes('kubernetes'),
    engineIn: (provider, region) => named.get(`${provider}/${region}`) ?? named.get(provider) ?? engine,
  };
}

/** Returns the engines by provider, such as `AWS`, and by region, such as `AWS/EU_WEST_1`. */
async function readEngines(file: string): Promise<Map<string, NewEngine>> {
  const { parse } = await import('yaml');
  let content: unknown;
  try {
    content = parse(await readFile(file, 'utf8'));
  } catch (error) {
    throw new ConfigError(`The file ${file} of --engines cannot be read: ${errorMessage(error)}`);
  }
  if (typeof content !== 'object' || content === null || Array.isArray(content)) {
    throw new ConfigError(`The file ${file} of --engines does not contain entries such as AWS: kubernetes`);
  }
  const found = new Map<string, NewEngine>();
  for (const [text, engine] of Object.entries(content)) {
    const reject = (problem: string) =>
      new ConfigError(`The entry ${JSON.stringify(text)} in the file ${file} of --engines ${problem}`);
    const key = keyOf(text);
    if (key === undefined)
      throw reject('is neither a provider, such as AWS, nor a region, such as AWS/EU_WEST_1');
    if (!isName(engine)) throw reject(`takes one of ${names.join(', ')}; it was ${JSON.stringify(engine)}`);
    if (found.has(key)) throw reject('names a region that another entry names');
    found.set(key, engine);
  }
  return found;
}

const isName = (value: unknown): value is NewEngine => names.some((name) => name === value);

/** Returns the provider, or the provider and the contract's name of the region; undefined for an unknown region. */
function keyOf(text: string): string | undefined {
  const [name = '', region, ...others] = text.split('/');
  const provider = providers.find((one) => one === name);
  if (provider === undefined || others.length > 0) return undefined;
  if (region === undefined) return provider;
  const known = regionNamed(provider, region);
  return known && `${provider}/${known}`;
}
