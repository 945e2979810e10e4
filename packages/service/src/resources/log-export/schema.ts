import Type from 'typebox';
import { entity } from '../../api/entity.ts';
import { Choice, DateTime, Id, Links, readOnly, ruled } from '../../api/fields.ts';
import { logExportStates } from './states.ts';

/** The names of S3 buckets. */
export const bucketNames = { minLength: 3, maxLength: 63, pattern: '^[a-z0-9][a-z0-9.-]*[a-z0-9]$' };

const fields = {
  bucketName: ruled(Type.String({ description: 'Name of the S3 bucket.' }), bucketNames),
  iamRoleId: Id({ description: 'Id of the AWS access role with which the service writes to the bucket.' }),
  prefixPath: Type.String({
    maxLength: 512,
    description: 'Prefix of the keys of all exported files. The keys have no prefix if the text is empty.',
  }),
};

export const LogExport = entity(
  Type.Object(
    {
      bucketName: Type.Optional(fields.bucketName),
      createDate: readOnly(DateTime({ description: 'Time at which the export was configured.' })),
      iamRoleId: Type.Optional(fields.iamRoleId),
      links: Links,
      prefixPath: Type.Optional(fields.prefixPath),
      state: readOnly(
        Choice(logExportStates, {
          description:
            'State of the export. `UNCONFIGURED`: the project has no export. `INITIATING` and `BUCKET_VERIFIED`: the service checks that it can write to the bucket. `ACTIVE`: the service exports logs. `ASSUME_ROLE_FAILED` and `BUCKET_VERIFICATION_FAILED`: the last export failed, and the service tries again.',
        }),
      ),
    },
    { description: 'The export of the logs of a project to an S3 bucket.' },
  ),
  { name: 'pushBasedLogExport', self: 'getPushBasedLogExport', params: () => ({}) },
);
export type LogExport = Type.Static<typeof LogExport>;

export const NewLogExport = Type.Object({ ...fields, links: Links });
