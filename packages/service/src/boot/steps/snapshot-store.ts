import { join } from 'node:path';
import { ConfigError } from '@portolan/foundation/command-line';
import { errorMessage } from '@portolan/foundation/thrown';
import { below } from '../../objects/below.ts';
import { folderStore } from '../../objects/folder.ts';
import { BucketError, isLasting, type ObjectStore, type RetryOptions } from '../../objects/object-store.ts';
import { type S3Place, s3Store } from '../../objects/s3.ts';
import type { Services } from '../../resources/services.ts';
import { settings } from '../../store/index.ts';
import type { Config } from '../settings.ts';

type Settings = Pick<
  Config,
  | 'snapshot-store'
  | 'copy-store'
  | 'snapshot-store-url'
  | 'snapshot-store-access-key'
  | 'snapshot-store-secret-key'
  | 's3-url'
>;

/** Opens the stores of snapshots and of their copies in each region: folders or S3 buckets. */
export function snapshotStores(
  config: Settings,
  dataDirectory: string,
  retry?: RetryOptions,
): Pick<Services, 'snapshots' | 'copies'> {
  const snapshots = storeAt(config['snapshot-store'] ?? join(dataDirectory, 'snapshots'), config, retry);
  const elsewhere = config['copy-store'];
  if (elsewhere === undefined)
    return { snapshots, copies: (region) => below(snapshots, `regions/${region}/`) };
  if (!/\{region\}/.test(elsewhere))
    throw new ConfigError('--copy-store must contain {region}, which is replaced by the region of each copy');
  const opened = new Map<string, ObjectStore>();
  const copies = (region: string) => {
    const store = opened.get(region) ?? storeAt(inRegion(elsewhere, region), config, retry);
    opened.set(region, store);
    return store;
  };
  // Open the store of one region now, so that an invalid location is reported at the start rather than at the first
  // copy.
  copies('AWS/US_EAST_1');
  return { snapshots, copies };
}

/** Replaces `{region}` with the region in the style of bucket names: `aws-us-east-1`. */
function inRegion(place: string, region: string): string {
  return place.replaceAll('{region}', region.toLowerCase().replaceAll(/[/_]/g, '-'));
}

function storeAt(place: string, config: Settings, retry?: RetryOptions): ObjectStore {
  if (!place.startsWith('s3://')) return folderStore(place);
  const [, bucket, path = ''] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(.*))?$/.exec(place) ?? [];
  if (bucket === undefined)
    throw new ConfigError(`${place} is not a valid snapshot store; use s3://BUCKET or s3://BUCKET/PATH`);
  const prefix = path.replace(/\/*$/, '');
  const endpoint = config['snapshot-store-url'] ?? config['s3-url'];
  const accessKeyId = config['snapshot-store-access-key'];
  const secretAccessKey = config['snapshot-store-secret-key'];
  const own: Partial<S3Place> =
    accessKeyId === undefined || secretAccessKey === undefined
      ? {}
      : { credentials: { accessKeyId, secretAccessKey } };
  const at = {
    bucket,
    ...(prefix === '' ? {} : { prefix: `${prefix}/` }),
    ...(endpoint === undefined ? {} : { endpoint }),
    ...own,
  };
  return s3Store(at, retry);
}

/**
 * Name of the file that identifies the store. With this file, the service detects that the setting names another store
 * than before.
 */
const MARK = 'store.json';
const SETTING = 'snapshotStore';
/** A slow store must not delay the start for long. */
const AT_START: RetryOptions = { timeoutMs: 5_000, attempts: 2 };

/**
 * Checks that the snapshot store is usable, and that all instances with this database use the same store. Throws a
 * `ConfigError` if it is unusable. If the store does not respond, only logs this, since later requests may succeed.
 */
export async function checkSnapshotStore(
  config: Settings,
  dataDirectory: string,
  { store, ids, log }: Pick<Services, 'store' | 'ids' | 'log'>,
): Promise<void> {
  const { snapshots } = snapshotStores(config, dataDirectory, AT_START);
  try {
    const found = await snapshots.get(MARK);
    const mark = found && String(JSON.parse(Buffer.from(found).toString()).id);
    const { known, made } = await store.write(async (tx) => {
      const known = await settings.read<string>(tx, SETTING);
      const made = mark ?? ids.next();
      if (known === undefined) await settings.write(tx, SETTING, made);
      return { known, made };
    });
    if (known === undefined && mark === undefined)
      await snapshots.put(MARK, Buffer.from(JSON.stringify({ id: made })));
    else if (known !== undefined && known !== mark)
      log.warn(
        {},
        `the snapshot store differs from the one used before or by other instances: its ${MARK} is missing or different`,
      );
  } catch (error) {
    if (error instanceof BucketError && isLasting(error))
      throw new ConfigError(`The snapshot store cannot be used: ${error.message}`);
    log.warn(
      { reason: errorMessage(error) },
      'the snapshot store does not respond; snapshots cannot be saved at the moment',
    );
  }
}
