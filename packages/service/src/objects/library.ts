import { BucketError } from './object-store.ts';

/**
 * Loads an optional library on first use: cloud libraries are large, and services without buckets do not need them.
 * `load` contains the `import` with a literal name, which lets tools find the dependency.
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
