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
    Type.Boolean({ description: 'Whether clusters may use it; not before somebody says so.' }),
  ),
  requirePrivateNetworking: optional(Type.Boolean({ description: 'There is none: false.' })),
  roleId: optional(Id({ description: 'An access role in the place of credentials.' })),
  valid: readOnly(Type.Boolean({ description: 'Whether the key can be used now.' })),
};

const AwsKms = Type.Object({
  ...common,
  accessKeyID: optional(Type.String({ minLength: 16, maxLength: 128 })),
  customerMasterKeyID: Text('The master key: its id or its ARN.'),
  region: optional(Type.String({ pattern: '^[A-Z]{2}(_[A-Z0-9]+)+$', description: 'Where the key is.' })),
  secretAccessKey: Text('Shown masked; what was shown may be sent back.', 256),
});

const AzureKeyVault = Type.Object({
  ...common,
  azureEnvironment: optional(
    Choice(['AZURE', 'AZURE_CHINA', 'AZURE_GERMANY'], { description: 'AZURE, unless another one is named.' }),
  ),
  clientID: Uuid('The application that reads the key.'),
  keyIdentifier: Text('The master key: its address with its version.'),
  keyVaultName: Text('Where the key is.', 127),
  resourceGroupName: Text('That of the key vault.', 90),
  secret: Text('That of the application. Shown masked; what was shown may be sent back.', 256),
  subscriptionID: Uuid('That of the resource group.'),
  tenantID: Uuid('That of the application.'),
});

const GoogleCloudKms = Type.Object({
  ...common,
  keyVersionResourceID: Text('The master key: the resource of one of its versions.'),
  serviceAccountKey: Text('JSON. Shown masked; what was shown may be sent back.', 16_384),
});

/** Whose keys encrypt the data of a project's clusters. */
export const KeyProviders = entity(
  Type.Object(
    {
      awsKms: optional(AwsKms),
      azureKeyVault: optional(AzureKeyVault),
      googleCloudKms: optional(GoogleCloudKms),
      links: Links,
    },
    { description: 'The providers of keys that encrypt the data of clusters.' },
  ),
  { name: 'encryptionAtRest', self: 'getEncryptionAtRest', params: () => ({}) },
);
export type KeyProviders = Type.Static<typeof KeyProviders>;
