import type { TestClouds } from './clouds.ts';
import { expectStatus } from './expect.ts';
import type { Setup } from './setups.ts';

type Document = Record<string, unknown>;

let arns = 0;

/** Creates and authorizes an AWS role of a project. Returns the id and the ARN of the role. */
export async function newRole(
  { owner }: Setup,
  { tokens }: TestClouds,
  project: string,
): Promise<{ readonly roleId: string; readonly arn: string }> {
  const access = `${project}/cloudProviderAccess`;
  const role = expectStatus<Document>(await owner.post(access, { providerName: 'AWS' }), 200);
  const arn = `arn:aws:iam::123456789012:role/service-${++arns}`;
  tokens.trusts.set(arn, String(role.platformAssumedRoleExternalId));
  const body = { providerName: 'AWS', iamAssumedRoleArn: arn };
  expectStatus(await owner.patch(`${access}/${role.roleId}`, body), 200);
  return { roleId: String(role.roleId), arn };
}

/** Adds the S3 bucket as an export bucket of a project. Returns the id of the export bucket. */
export async function newS3Bucket(setup: Setup, clouds: TestClouds, project: string): Promise<string> {
  const { roleId } = await newRole(setup, clouds, project);
  const bucket = { bucketName: clouds.s3Bucket, cloudProvider: 'AWS', iamRoleId: roleId };
  const reply = await setup.owner.post(`${project}/backup/exportBuckets`, bucket);
  return String(expectStatus<Document>(reply, 200)._id);
}
