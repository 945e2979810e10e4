import { BucketError } from './object-store.ts';

/**
 * A library that is loaded when it is first used: those of the clouds are large, optional, and nobody's business where
 * no bucket is. `load` imports it by its name, written out, so that it is found among the dependencies.
 */
export async function loadLibrary<T>(name: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND')) throw error;
    const message = `the package ${name} is not installed: npm install ${name}`;
    throw new BucketError('missing library', message, { cause: error });
  }
}
