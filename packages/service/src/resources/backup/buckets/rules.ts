import { isIP } from 'node:net';
import { generalFaults } from '../../../api/faults.ts';
import type { ReadTx } from '../../../store/index.ts';
import type { Clouds } from '../../services.ts';
import { bucketFaults } from './faults.ts';
import { type BucketLocation, type BucketRow, findBucket } from './rows.ts';
import type { ExportBucket } from './schema.ts';

/** Names that all three providers accept. Their characters need no escaping in URLs. */
const NAME = /^[a-z0-9][a-z0-9._-]{1,61}[a-z0-9]$/;

/** Hosts of Azure Blob Storage. Access tokens are sent to no other host. */
const AZURE_HOST = /^([a-z0-9]{3,24})\.blob\.core\.(windows\.net|chinacloudapi\.cn|usgovcloudapi\.net)$/;
const [MIN_URL_LENGTH, MAX_URL_LENGTH] = [33, 2048];

/** Reads the location and the access role from a request body. Throws for missing or inconsistent attributes. */
export function readBucket(body: ExportBucket, clouds: Clouds): BucketRow['facts'] {
  const { cloudProvider: provider, tenantId } = body;
  const roleId = readRole(body);
  if (provider !== 'AZURE') {
    if (body.serviceUrl !== undefined) throw generalFaults.INVALID_ATTRIBUTE('serviceUrl');
    if (tenantId !== undefined) throw generalFaults.INVALID_ATTRIBUTE('tenantId');
    return { provider, bucketName: readName(body.bucketName), roleId };
  }
  return { ...readContainer(body, clouds), ...(tenantId === undefined ? {} : { tenantId }), roleId };
}

function readRole({ cloudProvider, iamRoleId, roleId }: ExportBucket): string {
  const own = cloudProvider === 'AWS' ? iamRoleId : roleId;
  const given = own ?? iamRoleId ?? roleId;
  if (given === undefined)
    throw generalFaults.MISSING_ATTRIBUTE(cloudProvider === 'AWS' ? 'iamRoleId' : 'roleId');
  if ((iamRoleId ?? given) !== (roleId ?? given)) throw generalFaults.INVALID_ATTRIBUTE('roleId');
  return given;
}

function readName(name: string | undefined): string {
  if (name === undefined) throw generalFaults.MISSING_ATTRIBUTE('bucketName');
  if (!NAME.test(name))
    throw bucketFaults.EXPORT_BUCKET_NAME_INVALID(name, 'this is not a valid bucket name');
  return name;
}

/** Returns the container in the service URL or, if the URL has none, in `bucketName`. */
function readContainer({ serviceUrl: given, bucketName }: ExportBucket, clouds: Clouds): BucketLocation {
  if (given === undefined) throw generalFaults.MISSING_ATTRIBUTE('serviceUrl');
  const invalid = () => generalFaults.INVALID_ATTRIBUTE('serviceUrl');
  if (given.length < MIN_URL_LENGTH || given.length > MAX_URL_LENGTH || !URL.canParse(given)) throw invalid();
  const { protocol, host, hostname, pathname, search, hash, username, password } = new URL(given);
  if (search + hash + username + password !== '') throw invalid();
  const path = pathname.split('/').filter((part) => part !== '');
  const [, own] = AZURE_HOST.exec(host) ?? [];
  if (own === undefined && !(clouds.privateTargets && isIP(hostname) !== 0)) throw invalid();
  if (protocol !== 'https:' && own !== undefined) throw invalid();
  // If the host is an IP address, the first segment of the path is the account.
  const account = own ?? path.shift();
  const [container, ...more] = path;
  if (account === undefined || more.length > 0) throw invalid();
  if (container !== undefined && bucketName !== undefined && container !== bucketName)
    throw generalFaults.INVALID_ATTRIBUTE('bucketName');
  const serviceUrl = `${protocol}//${host}${own === undefined ? `/${account}` : ''}`;
  const azure = { given, serviceUrl, account };
  return { provider: 'AZURE', bucketName: readName(container ?? bucketName), azure };
}

/** Returns the bucket that a path or body names. Throws EXPORT_BUCKET_NOT_FOUND. */
export async function requireBucket(tx: ReadTx, groupId: string, id: string): Promise<BucketRow> {
  const row = await findBucket(tx, groupId, id);
  if (!row) throw bucketFaults.EXPORT_BUCKET_NOT_FOUND(id);
  return row;
}
