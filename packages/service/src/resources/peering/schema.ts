import Type from 'typebox';
import { entity } from '../../api/entity.ts';
import { Choice, Id, Links, readOnly } from '../../api/fields.ts';

const optional = Type.Optional;
const text = (description: string) => optional(Type.String({ minLength: 1, maxLength: 255, description }));
const Region = text('Region of the network; absent at GCP, where it spans all regions.');

const providers = ['AWS', 'AZURE', 'GCP'] as const;
const Provider = Choice(providers);
export type Provider = (typeof providers)[number];

const containerFields = {
  links: Links,
  platformCidrBlock: Type.String({ description: 'Address block of the network.' }),
  providerName: Provider,
  provisioned: readOnly(Type.Boolean({ description: 'Whether clusters have nodes in the network.' })),
  regionName: Region,
  regions: optional(
    Type.Array(Type.String({ maxLength: 64 }), {
      maxItems: 100,
      description: 'The only regions at GCP in which clusters can be created; all by default.',
    }),
  ),
};

/** The virtual network of a project at a cloud provider, from which its dedicated clusters get addresses. */
export const Container = entity(
  Type.Object(
    { id: readOnly(Id()), ...containerFields },
    { description: 'The virtual network of a project at a cloud provider.' },
  ),
  { name: 'container', self: 'getPeeringContainer', params: ({ id }) => ({ containerId: id ?? '' }) },
);

const ALTERNATIVE = text('Region of the network at AZURE: an alternative to `regionName`.');

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
  { description: 'Changes of a virtual network that no cluster uses.' },
);
export type ContainerUpdate = Type.Static<typeof ContainerUpdate>;

/** The fields of a peering connection about the caller's network, by provider. */
const settings = {
  accepterRegionName: text('Region of the network at AWS, as AWS names it.'),
  awsAccountId: optional(Type.String({ pattern: '^[0-9]{12}$', description: 'Account at AWS.' })),
  azureDirectoryId: text('Directory at AZURE.'),
  azureSubscriptionId: text('Subscription at AZURE.'),
  gcpProjectId: text('Project at GCP.'),
  networkName: text('Name of the network at GCP.'),
  resourceGroupName: text('Resource group of the network at AZURE.'),
  routeTableCidrBlock: text('Address block of the network at AWS.'),
  vnetName: text('Name of the network at AZURE.'),
  vpcId: text('Id of the network at AWS.'),
};

const Status = readOnly(
  Choice(['PENDING_ACCEPTANCE'], {
    description: 'Always PENDING_ACCEPTANCE: this service creates no networks, so none is connected.',
  }),
);

const Absent = (description: string) => readOnly(Type.Union([Type.String(), Type.Null()], { description }));

const peerFields = {
  id: readOnly(Id()),
  links: Links,
  containerId: Id({ description: 'Id of the virtual network of the project.' }),
  ...settings,
  connectionId: Absent('Connection at AWS; always null.'),
  errorMessage: Absent('Why there is no connection at GCP.'),
  errorState: Absent('Why there is no connection at AZURE.'),
  errorStateName: Absent('Error at AWS; always null.'),
  status: Status,
  statusName: Status,
};

/** The connection of a network of the project with one of the caller. */
export const Peer = entity(
  Type.Object(
    { ...peerFields, providerName: Provider },
    { description: 'A recorded peering connection. No network is connected.' },
  ),
  { name: 'peer', self: 'getPeeringConnection', params: ({ id }) => ({ peerId: id ?? '' }) },
);

export const NewPeer = Type.Object(
  { ...peerFields, providerName: optional(Choice(providers, { default: 'AWS' })) },
  { description: 'A peering connection. Each provider requires its own fields.' },
);
export type NewPeer = Type.Static<typeof NewPeer>;

export const ListQuery = Type.Object({ providerName: optional(Choice(providers, { default: 'AWS' })) });

/** The fields of a connection that are stored as they were given. */
export type PeerSettings = { readonly [K in keyof typeof settings]?: string | undefined };
export const settingNames = Object.keys(settings) as readonly (keyof PeerSettings)[];
