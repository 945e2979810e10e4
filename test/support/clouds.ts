import { mkdtemp, readFile, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from 's3rver';
import { azuriteCredentials } from './azurite.ts';
import { pathsBelow } from './folders.ts';
import { type GoogleStorage, startGoogleStorage } from './google-storage.ts';
import type { SetupOptions } from './setups.ts';
import { startTokenService, type TokenService } from './token-service.ts';

/** The keys that the S3 server accepts. */
const S3_KEYS = { id: 'S3RVER', secret: 'S3RVER' };
const SUFFIX = '._S3rver_object';

/** Servers that emulate two clouds, and the settings of a service that uses them. */
export interface TestClouds {
  readonly s3Bucket: string;
  readonly google: GoogleStorage;
  readonly tokens: TokenService;
  readonly options: SetupOptions;
  /** Returns the sorted names of the objects in the S3 bucket. */
  s3Objects(): string[];
  s3Object(name: string): Promise<Buffer>;
  stop(): Promise<void>;
}

export async function startClouds(): Promise<TestClouds> {
  const s3Bucket = 'exports-of-ours';
  const folder = await mkdtemp(join(tmpdir(), 's3-'));
  const buckets = [{ name: s3Bucket, configs: [] }];
  const s3 = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory: folder,
    configureBuckets: buckets,
  });
  const { port } = (await s3.run()) as AddressInfo;
  const [google, tokens] = [await startGoogleStorage(), await startTokenService(S3_KEYS)];
  return {
    s3Bucket,
    google,
    tokens,
    options: {
      settings: {
        's3-url': `http://127.0.0.1:${port}`,
        'sts-url': tokens.url,
        'azure-storage-key': azuriteCredentials.key,
        'allow-private-targets': true,
      },
      environment: {
        AWS_ACCESS_KEY_ID: 'the-service',
        AWS_SECRET_ACCESS_KEY: 'a-secret-of-the-service',
        STORAGE_EMULATOR_HOST: google.url,
      },
    },
    s3Objects() {
      return pathsBelow(join(folder, s3Bucket))
        .filter((name) => name.endsWith(SUFFIX))
        .map((name) => name.slice(0, -SUFFIX.length))
        .sort();
    },
    s3Object: (name) => readFile(join(folder, s3Bucket, name + SUFFIX)),
    async stop() {
      google.stop();
      tokens.stop();
      await s3.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
