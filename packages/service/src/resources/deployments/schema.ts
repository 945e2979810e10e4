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
    description: 'Connection string of an administrator, with its credentials. Never returned.',
  }),
  caCertificate: Pem(
    'Certificates of the authority that signs those of the servers, as PEM. Never returned.',
  ),
  clientCertificate: Pem('Certificate and private key to log in with, as PEM. Never returned.'),
};

/** The body that adopts a deployment. */
export const NewDeployment = Type.Object({
  ...secrets,
  groupId: Id(),
  name: Type.String({ minLength: 1, maxLength: 64, description: 'Name of the cluster in the project.' }),
  providerName: optional(
    Choice(['AWS', 'AZURE', 'GCP'], {
      default: 'AWS',
      description: 'Provider shown for the nodes; the servers do not know it.',
    }),
  ),
  regionName: optional(Type.String({ maxLength: 64, description: 'Region shown for the nodes.' })),
});

export const AdoptedDeployment = entity(
  Type.Object(
    {
      created: readOnly(DateTime()),
      databases: readOnly(
        Type.Array(Type.Object({ name: Type.String(), sizeOnDisk: Type.Number() }), {
          description: 'Absent while the deployment does not answer, or if the user may not list them.',
        }),
      ),
      groupId: readOnly(Id()),
      hosts: readOnly(Type.Array(Type.String())),
      id: readOnly(Id({ description: 'Id of the cluster.' })),
      links: Links,
      missingCapabilities: readOnly(
        Type.Array(Type.Object({ name: Type.String(), reason: Type.String() }), {
          description: 'Capabilities that the cluster lacks, with the reasons.',
        }),
      ),
      name: readOnly(Type.String()),
      problem: readOnly(Type.String({ description: 'Why the deployment does not answer.' })),
      product: readOnly(
        Type.String({ description: 'Product of the servers; absent for the reference server.' }),
      ),
      replicaSets: readOnly(Type.Array(Type.String())),
      stateName: readOnly(Type.String({ description: 'State of the cluster.' })),
      topology: readOnly(Choice(['REPLICA_SET', 'SHARDED', 'STANDALONE'])),
      users: readOnly(
        Type.Array(Type.Object({ db: Type.String(), user: Type.String() }), {
          description: 'Absent while the deployment does not answer, or if the user may not list them.',
        }),
      ),
      version: readOnly(Type.String()),
    },
    { description: 'A deployment that others run, adopted as a cluster.' },
  ),
  {
    name: 'adoptedDeployment',
    self: 'getAdoptedDeployment',
    params: ({ id }) => ({ deploymentId: id ?? '' }),
  },
);
