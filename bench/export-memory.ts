import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { startClouds, type TestClouds } from '@portolan/test-support/clouds';
import { MongoClient } from 'mongodb';
import { type Doc, fill } from './backup-data.ts';
import { createIdle } from './clusters.ts';
import { atMost, type Figure, type Part } from './figure.ts';
import { highestMemory, processesOf } from './memory.ts';
import { withPackage } from './packaged.ts';
import {
  type Client,
  connect,
  driverAuth,
  letDriversIn,
  type RunningService,
  startService,
  withFolder,
} from './support.ts';

/** The size of the cluster's documents in megabytes. */
const SIZES = [256, Number(process.env.BENCH_BACKUP_MB ?? 1024)];
const MAX_MEGABYTES = 250;
const ROLE = 'arn:aws:iam::123456789012:role/bench';

/** The highest memory of a built service and its engine host while they take a snapshot and export it to S3. */
export const exportMemory: Part = {
  name: 'export-memory',
  measure: () =>
    withPackage(async (folder) => {
      const clouds = await startClouds();
      try {
        const figures: Figure[] = [];
        for (const megabytes of SIZES)
          figures.push(...(await figuresOf(join(folder, 'dist/main.js'), clouds, megabytes)));
        return figures;
      } finally {
        await clouds.stop();
      }
    }),
};

function figuresOf(main: string, clouds: TestClouds, megabytes: number): Promise<Figure[]> {
  return withFolder(async (folder) => {
    const { settings, environment } = clouds.options;
    const args = Object.entries(settings ?? {}).flatMap(([name, value]) =>
      value === true ? [`--${name}`] : [`--${name}`, String(value)],
    );
    const start = () => startService(folder, { main, args, environment });
    const first = await start();
    const project = `/groups/${first.bootstrap.groupId}`;
    const cluster = await filled(await clientOf(first), project, megabytes);
    const exportBucketId = await bucketOf(await clientOf(first), project, clouds);
    await first.stop();
    // Start the service again, so that the memory of its engine host does not include what the inserts used.
    const service = await start();
    try {
      const client = await clientOf(service);
      const { host, service: pid } = processesOf(folder);
      const measured = [highestMemory(pid), highestMemory(host)];
      const { body } = await client.call('POST', `${cluster}/backup/snapshots`, {
        description: 'bench',
        retentionInDays: 1,
      });
      await reached(client, `${cluster}/backup/snapshots/${body.id}`, 'status', 'completed');
      const [duringSnapshot = Number.NaN, ofHost = Number.NaN] = measured.map((read) => read());
      const exporting = highestMemory(pid);
      const job = await client.call('POST', `${cluster}/backup/exports`, {
        snapshotId: body.id,
        exportBucketId,
      });
      await reached(client, `${cluster}/backup/exports/${job.body.id}`, 'state', 'Successful');
      const of = `of ${megabytes.toLocaleString('en')} MB, built`;
      return [
        figure(`highest memory of the service during a snapshot ${of}`, duringSnapshot),
        figure(`highest memory of the engine host during a snapshot ${of}`, ofHost),
        figure(`highest memory of the service during an export ${of}`, exporting()),
      ];
    } finally {
      await service.stop();
    }
  });
}

const clientOf = ({ bootstrap, authority }: RunningService) => connect({ ...bootstrap, authority });

const figure = (name: string, value: number): Figure => ({
  name,
  value,
  unit: 'MB',
  target: atMost(MAX_MEGABYTES),
});

async function filled(client: Client, project: string, megabytes: number): Promise<string> {
  await letDriversIn(client, project);
  const url = await createIdle(client, `${project}/clusters`, 'large', { providerBackupEnabled: true });
  const driver = await new MongoClient(url, { auth: driverAuth }).connect();
  try {
    await fill(driver.db('bench').collection<Doc>('kept'), megabytes);
  } finally {
    await driver.close();
  }
  return `${project}/clusters/large`;
}

async function bucketOf(client: Client, project: string, { s3Bucket, tokens }: TestClouds): Promise<string> {
  const access = `${project}/cloudProviderAccess`;
  const { body: role } = await client.call('POST', access, { providerName: 'AWS' });
  tokens.trusts.set(ROLE, String(role.platformAssumedRoleExternalId));
  await client.call('PATCH', `${access}/${role.roleId}`, { providerName: 'AWS', iamAssumedRoleArn: ROLE });
  const bucket = { bucketName: s3Bucket, cloudProvider: 'AWS', iamRoleId: role.roleId };
  const { body } = await client.call('POST', `${project}/backup/exportBuckets`, bucket);
  return String(body._id);
}

async function reached(client: Client, path: string, field: string, state: string): Promise<void> {
  for (;;) {
    const { body } = await client.call('GET', path);
    if (body[field] === state) return;
    if (/fail|cancel/i.test(String(body[field]))) throw new Error(`${path}: ${JSON.stringify(body)}`);
    await setTimeout(100);
  }
}
