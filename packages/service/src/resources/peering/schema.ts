import Type from 'typebox';
import { entity } from '../../api/entity.ts';
import { Choice, Id, Links, readOnly } from '../../api/fields.ts';

const optional = Type.Optional;
const text = (description: string) => optional(Type.String({ minLength: 1, maxLength: 255, description }));
const Region = text('Region of the network. Absent for GCP, where a network spans all regions.');

const providers = ['AWS', 'AZURE', 'GCP'] as const;
const Provider = Choice(providers);
export type Provider = (typeof providers)[number];

const containerFields = {
  links: Links,
  platformCidrBlock: Type.String({ description: 'CIDR block of the network.' }),
  providerName: Provider,
  provisioned: readOnly(
    Type.Boolean({ description: 'Whether clusters of the project have nodes in the network.' }),
  ),
  regionName: Region,
  regions: optional(
    Type.Array(Type.String({ maxLength: 64 }), {
      maxItems: 100,
      description: 'Regions in which the network serves clusters; all by default. Only for GCP.',
    }),
  ),
};

/**
 * A virtual network of a project at a cloud provider. The dedicated clusters of the project get their addresses from
 * it.
 */
export const Container = entity(
  Type.Object(
    { id: readOnly(Id()), ...containerFields },
    { description: 'A virtual network of a project at a cloud provider.' },
  ),
  { name: 'container', self: 'getPeeringContainer', params: ({ id }) => ({ containerId: id ?? '' }) },
);

const ALTERNATIVE = text('Region of the network; only for Azure, as an alternative to `regionName`.');

export const NewContainer = Type.Object(
  {
    id: readOnly(Id()),
    ...containerFields,
    providerName: optional(Choice(providers, { default: 'AWS' })),
    region: ALTERNATIVE,
  },
  { description: 'A virtual network of a project at a cloud provider.' },
);
export type NewContainer = Type.Static<typeof NewContainer>;

export const ContainerUpdate = Type.Object(
  {
    ...NewContainer.properties,
    platformCidrBlock: optional(containerFields.platformCidrBlock),
  },
  { description: 'Changes to an unused virtual network.' },
);
export type ContainerUpdate = Type.Static<typeof ContainerUpdate>;

/** The fields of a peering connection that describe the caller's network, by provider. */
const settings = {
  accepterRegionName: text("Region of the caller's network, as AWS names it; only for AWS."),
  awsAccountId: optional(
    Type.String({ pattern: '^[0-9]{12}$', description: "Id of the AWS account of the caller's network." }),
  ),
  azureDirectoryId: text("Id of the Azure directory of the caller's network."),
  azureSubscriptionId: text("Id of the Azure subscription of the caller's network."),
  gcpProjectId: text("Id of the GCP project of the caller's network."),
  networkName: text("Name of the caller's network; only for GCP."),
  resourceGroupName: text("Resource group of the caller's network; only for Azure."),
  routeTableCidrBlock: text("CIDR block of the caller's network; only for AWS."),
  vnetName: text("Name of the caller's network; only for Azure."),
  vpcId: text("Id of the caller's network; only for AWS."),
};

const Status = readOnly(
  Choice(['PENDING_ACCEPTANCE'], {
    description: 'Always PENDING_ACCEPTANCE, since the service does not connect networks.',
  }),
);

const Absent = (description: string) => readOnly(Type.Union([Type.String(), Type.Null()], { description }));

const peerFields = {
  id: readOnly(Id()),
  links: Links,
  containerId: Id({ description: 'Id of the virtual network of the project.' }),
  ...settings,
  connectionId: Absent('Id of the connection at AWS; always null.'),
  errorMessage: Absent('Why there is no connection; only for GCP.'),
  errorState: Absent('Why there is no connection; only for Azure.'),
  errorStateName: Absent('Name of an error at AWS; always null.'),
  status: Status,
  statusName: Status,
};

/** A connection between a network of the project and a network of the caller. */
export const Peer = entity(
  Type.Object(
    { ...peerFields, providerName: Provider },
    {
      description:
        'A recorded peering connection between a network of the project and a network of the caller. The service does not connect the networks.',
    },
  ),
  { name: 'peer', self: 'getPeeringConnection', params: ({ id }) => ({ peerId: id ?? '' }) },
);

export const NewPeer = Type.Object(
  { ...peerFields, providerName: optional(Choice(providers, { default: 'AWS' })) },
  { description: 'A peering connection to be recorded. The provider determines which fields are required.' },
);
export type NewPeer = Type.Static<typeof NewPeer>;

export const ListQuery = Type.Object({
  providerName: optional(
    Choice(providers, { default: 'AWS', description: 'Returns only results for this cloud provider.' }),
  ),
});

/** The fields of a connection that are stored as received. */
export type PeerSettings = { readonly [K in keyof typeof settings]?: string | undefined };
export const settingNames = Object.keys(settings) as readonly (keyof PeerSettings)[];
