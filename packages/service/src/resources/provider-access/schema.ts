import Type, { type TSchema } from 'typebox';
import { entity } from '../../api/entity.ts';
import { Choice, DateTime, Id, LatestTime, Links, readOnly } from '../../api/fields.ts';

const optional = Type.Optional;
const orNull = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()]);

const UUID = '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$';
const Uuid = (description: string) => Type.String({ pattern: UUID, description });
const Arn = (description: string) => Type.String({ minLength: 20, maxLength: 2048, description });

const providers = ['AWS', 'AZURE', 'GCP'] as const;

const FeatureUsage = Type.Object({
  featureId: Type.Record(Type.String(), Type.String(), {
    description: 'Id of the resource that uses the role, such as an export bucket.',
  }),
  featureType: Choice([
    'PLATFORM_DATA_LAKE',
    'ENCRYPTION_AT_REST',
    'EXPORT_SNAPSHOT',
    'PUSH_BASED_LOG_EXPORT',
  ]),
});

const common = {
  createdDate: readOnly(DateTime()),
  featureUsages: readOnly(
    Type.Array(FeatureUsage, {
      description: 'Features that use the role. While a feature uses the role, the role cannot be deleted.',
    }),
  ),
  links: Links,
};

const awsFields = {
  authorizedDate: readOnly(
    orNull(DateTime({ description: 'Time at which the role was authorized; null before that.' })),
  ),
  iamAssumedRoleArn: optional(orNull(Arn('AWS: ARN of the IAM role that the service assumes.'))),
  platformAWSAccountArn: readOnly(Arn('AWS: ARN of the account that the IAM role must trust.')),
  platformAssumedRoleExternalId: readOnly(
    Uuid(
      'AWS: external id that the service sends when it assumes the role. The trust policy of the role must require it.',
    ),
  ),
  roleId: readOnly(Id()),
};

const azureFields = {
  _id: readOnly(Id()),
  lastUpdatedDate: LatestTime(),
  platformAzureAppId: optional(Uuid('Azure: id of the application that acts for the service.')),
  servicePrincipalId: optional(Uuid('Azure: id of the service principal of the application.')),
  tenantId: optional(Uuid('Azure: id of the tenant.')),
};

const gcpFields = {
  gcpServiceAccountForPlatform: readOnly(
    Type.String({ description: 'GCP: e-mail address of the service account that acts for the service.' }),
  ),
  roleId: readOnly(Id()),
  status: readOnly(Choice(['IN_PROGRESS', 'COMPLETE', 'FAILED', 'NOT_INITIATED'])),
};

const self = 'getCloudProviderAccessRole';

/** An identity of the service at a provider, for one project. The fields depend on the provider. */
export const AccessRole = entity(
  Type.Object(
    { providerName: Choice(providers), ...common, ...awsFields, ...azureFields, ...gcpFields },
    {
      description:
        'An access role: the identity with which the service accesses the keys or buckets of a project at a cloud provider.',
    },
  ),
  { name: 'providerAccessRole', self, params: ({ roleId, _id }) => ({ roleId: roleId ?? _id ?? '' }) },
);
export type AccessRole = Type.Static<typeof AccessRole>;

const AwsIamRole = entity(Type.Object({ providerName: Choice(['AWS']), ...common, ...awsFields }), {
  name: 'awsIamRole',
  self,
  params: ({ roleId = '' }) => ({ roleId }),
});

const AzureServicePrincipal = entity(
  Type.Object({ providerName: Choice(['AZURE']), ...common, ...azureFields }),
  { name: 'azureServicePrincipal', self, params: ({ _id = '' }) => ({ roleId: _id }) },
);

const GcpServiceAccount = entity(Type.Object({ providerName: Choice(['GCP']), ...common, ...gcpFields }), {
  name: 'gcpServiceAccount',
  self,
  params: ({ roleId = '' }) => ({ roleId }),
});

/** All roles of a project, by provider. */
export const AccessRoles = entity(
  Type.Object(
    {
      awsIamRoles: Type.Array(AwsIamRole),
      azureServicePrincipals: Type.Array(AzureServicePrincipal),
      gcpServiceAccounts: Type.Array(GcpServiceAccount),
      links: Links,
    },
    { description: 'The access roles of a project, by cloud provider.' },
  ),
  { name: 'providerAccess', self: 'listCloudProviderAccessRoles', params: () => ({}) },
);
