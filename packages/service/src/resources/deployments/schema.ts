import Type from 'typebox';
import { entity } from '../../api/entity.ts';
import { Choice, DateTime, Id, Links, readOnly } from '../../api/fields.ts';

const optional = Type.Optional;
const MAX_PEM = 65_536;
const Pem = (description: string) => optional(Type.String({ minLength: 1, maxLength: MAX_PEM, description }));

const secrets = {
  connectionString: Type.String({
    minLength: 1,
    maxLength: 8192,
    description: 'Connection string with the credentials of a user of the deployment. Never returned.',
  }),
  caCertificate: Pem('Certificate authority of the servers, as PEM text. Never returned.'),
  clientCertificate: Pem('Client certificate and its private key, as PEM text. Never returned.'),
};

/** The body that replaces the connection of an adopted deployment. */
export const DeploymentConnection = Type.Object(secrets);

/** The body that adopts a deployment. */
export const NewDeployment = Type.Object({
  ...secrets,
  groupId: Id(),
  name: Type.String({ minLength: 1, maxLength: 64, description: 'Name of the cluster in the project.' }),
  providerName: optional(
    Choice(['AWS', 'AZURE', 'GCP'], {
      default: 'AWS',
      description: 'Cloud provider that the API shows for the nodes. The value has no other effect.',
    }),
  ),
  regionName: optional(
    Type.String({
      maxLength: 64,
      description: 'Region that the API shows for the nodes. The value has no other effect.',
    }),
  ),
});

export const AdoptedDeployment = entity(
  Type.Object(
    {
      accessProblem: readOnly(
        Type.String({
          description:
            'Why the service could not apply the current database users and custom roles of the project to the servers. Absent once they are applied.',
        }),
      ),
      accountProblems: readOnly(
        Type.Array(
          Type.Object({
            databaseName: Type.String({ description: 'Database of the user or role.' }),
            kind: Choice(['ROLE', 'USER']),
            name: Type.String(),
            problem: Type.String({
              description: 'Why the servers lack the user or role, or have it with older settings.',
            }),
          }),
          {
            description:
              'Database users and custom roles of the project that the deployment lacks, or has with older settings.',
          },
        ),
      ),
      created: readOnly(DateTime()),
      databases: readOnly(
        Type.Array(
          Type.Object({
            name: Type.String({ description: 'Name of the database.' }),
            sizeOnDisk: Type.Optional(
              Type.Number({ description: 'Size on disk in bytes. Absent if the servers do not report it.' }),
            ),
          }),
          {
            description:
              'Databases of the deployment. Absent while the deployment does not respond, or if the user in the connection string may not list databases.',
          },
        ),
      ),
      groupId: readOnly(Id()),
      hosts: readOnly(Type.Array(Type.String(), { description: 'Hosts and ports of the servers.' })),
      id: readOnly(Id({ description: 'Id of the cluster.' })),
      links: Links,
      missingCapabilities: readOnly(
        Type.Array(Type.Object({ name: Type.String(), reason: Type.String() }), {
          description:
            'Capabilities (features such as snapshots) that the cluster lacks, each with the reason.',
        }),
      ),
      name: readOnly(Type.String({ description: 'Name of the cluster.' })),
      problem: readOnly(
        Type.String({ description: 'Why the deployment does not respond; absent while it responds.' }),
      ),
      product: readOnly(
        Type.String({
          description:
            'Name of the database product, such as `Percona Server for MongoDB`; absent for MongoDB itself.',
        }),
      ),
      refusedArguments: readOnly(
        Type.Array(Type.Object({ name: Type.String(), reason: Type.String() }), {
          description:
            'Process arguments of the cluster that the servers refuse, and `featureCompatibilityVersion` if they refuse the pinned version, each with the reason.',
        }),
      ),
      replicaSets: readOnly(Type.Array(Type.String())),
      stateName: readOnly(
        Type.String({ description: 'State of the cluster, such as `IDLE` or `REPAIRING`.' }),
      ),
      topology: readOnly(
        Choice(['REPLICA_SET', 'SHARDED', 'STANDALONE'], {
          description: '`STANDALONE`: a single server that belongs to no replica set.',
        }),
      ),
      users: readOnly(
        Type.Array(Type.Object({ db: Type.String(), user: Type.String() }), {
          description:
            'Users of the deployment. Absent while the deployment does not respond, or if the user in the connection string may not list users.',
        }),
      ),
      version: readOnly(Type.String({ description: 'Version that the servers report.' })),
    },
    {
      description:
        'An adopted deployment: a deployment that runs outside Portolan and that the service shows as a cluster.',
    },
  ),
  {
    name: 'adoptedDeployment',
    self: 'getAdoptedDeployment',
    params: ({ id }) => ({ deploymentId: id ?? '' }),
  },
);
