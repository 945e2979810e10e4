import Type from 'typebox';
import { entity } from '../../api/entity.ts';
import { Choice, Id, Links, readOnly } from '../../api/fields.ts';

const optional = Type.Optional;
const UUID = '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$';
const Uuid = (description: string) => optional(Type.String({ pattern: UUID, description }));
const Text = (description: string, maxLength = 2048) =>
  optional(Type.String({ minLength: 1, maxLength, description }));

const common = {
  enabled: optional(
    Type.Boolean({ description: 'Whether clusters of the project may use the key; false by default.' }),
  ),
  requirePrivateNetworking: optional(Type.Boolean({ description: 'Not supported; must be false.' })),
  roleId: optional(
    Id({ description: 'Id of an access role of the project, which is used instead of an access key.' }),
  ),
  valid: readOnly(Type.Boolean({ description: 'Whether the service can use the key at present.' })),
};

const AwsKms = Type.Object({
  ...common,
  accessKeyID: optional(Type.String({ minLength: 16, maxLength: 128 })),
  customerMasterKeyID: Text('Id or ARN of the master key.'),
  region: optional(
    Type.String({ maxLength: 64, pattern: '^[A-Z]{2}(_[A-Z0-9]+)+$', description: 'Region of the key.' }),
  ),
  secretAccessKey: Text(
    'Secret access key. Responses mask it; a request that contains the masked value does not change it.',
    256,
  ),
});

const AzureKeyVault = Type.Object({
  ...common,
  azureEnvironment: optional(
    Choice(['AZURE', 'AZURE_CHINA', 'AZURE_GERMANY'], {
      description: 'Azure cloud; AZURE by default.',
    }),
  ),
  clientID: Uuid('Client id of the application that uses the key.'),
  keyIdentifier: Text('URL of the master key, with its version.'),
  keyVaultName: Text('Name of the key vault.', 127),
  resourceGroupName: Text('Name of the resource group of the key vault.', 90),
  secret: Text(
    'Secret of the application. Responses mask it; a request that contains the masked value does not change it.',
    256,
  ),
  subscriptionID: Uuid('Id of the subscription of the resource group.'),
  tenantID: Uuid('Id of the tenant of the application.'),
});

const GoogleCloudKms = Type.Object({
  ...common,
  keyVersionResourceID: Text('Resource id of the master key, with its version.'),
  serviceAccountKey: Text(
    'Key of the service account, as JSON text. Responses mask it; a request that contains the masked value does not change it.',
    16_384,
  ),
});

/** The key providers for encryption at rest in a project's clusters. */
export const KeyProviders = entity(
  Type.Object(
    {
      awsKms: optional(AwsKms),
      azureKeyVault: optional(AzureKeyVault),
      googleCloudKms: optional(GoogleCloudKms),
      links: Links,
    },
    { description: 'The key providers of a project for encryption at rest.' },
  ),
  { name: 'encryptionAtRest', self: 'getEncryptionAtRest', params: () => ({}) },
);
export type KeyProviders = Type.Static<typeof KeyProviders>;
