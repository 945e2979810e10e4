import Type from 'typebox';
import { entity } from '../../api/entity.ts';
import { Id, Links } from '../../api/fields.ts';

const optional = Type.Optional;
const Location = Type.String({
  pattern: '^[A-Z]{2}(-[A-Z0-9]{1,3})?$',
  description:
    'Code of a country (ISO 3166-1), such as `DE`, or of a subdivision (ISO 3166-2), such as `US-VA`.',
});
const Database = Type.String({ minLength: 1, maxLength: 63, description: 'Name of the database.' });
const Collection = Type.String({ minLength: 1, maxLength: 255, description: 'Name of the collection.' });

export const ManagedNamespace = Type.Object(
  {
    collection: Collection,
    customShardKey: Type.String({
      minLength: 1,
      maxLength: 512,
      description: 'Second field of the shard key. The first field is always `location`.',
    }),
    db: Database,
    isCustomShardKeyHashed: optional(
      Type.Boolean({ default: false, description: 'Whether the second field of the shard key is hashed.' }),
    ),
    isShardKeyUnique: optional(
      Type.Boolean({ default: false, description: 'Whether values of the shard key are unique.' }),
    ),
    numInitialChunks: optional(
      Type.Integer({
        minimum: 0,
        maximum: 8192,
        description: 'Number of chunks of an empty collection with a hashed field. Has no effect.',
      }),
    ),
    presplitHashedZones: optional(
      Type.Boolean({
        default: false,
        description: 'Whether chunks are created in advance for the zones. Has no effect.',
      }),
    ),
  },
  { description: 'A collection whose documents are stored in the zone of their location.' },
);
export type ManagedNamespace = Type.Static<typeof ManagedNamespace>;

export const NamespaceQuery = Type.Object({ collection: Collection, db: Database });

/** The largest number of mapped locations of a cluster. */
export const MAX_MAPPINGS = 5000;

export const ZoneMappings = Type.Object(
  {
    customZoneMappings: Type.Array(
      Type.Object({
        location: Location,
        zone: Type.String({
          minLength: 1,
          maxLength: 255,
          description: 'Name of the zone, which is the `zoneName` of a replication spec.',
        }),
      }),
      { minItems: 1, maxItems: MAX_MAPPINGS, description: 'Locations with their zones.' },
    ),
  },
  {
    description:
      'Mappings of locations to zones, which the request adds. A mapping replaces the existing mapping of its location.',
  },
);
export type ZoneMappings = Type.Static<typeof ZoneMappings>;

export const GlobalWrites = entity(
  Type.Object(
    {
      customZoneMapping: Type.Record(Type.String(), Id(), {
        description: 'The mapped locations, each with the id of its zone. Empty if no location is mapped.',
      }),
      links: Links,
      managedNamespaces: Type.Array(ManagedNamespace, {
        description: 'Collections whose documents are stored in the zone of their location.',
      }),
      selfManagedSharding: Type.Boolean({
        description: 'Whether users shard the collections of the cluster themselves.',
      }),
    },
    {
      description: 'The mapping of locations to zones of a global cluster, and the collections that use it.',
    },
  ),
  { name: 'globalWrites', self: 'getManagedNamespace', params: () => ({}) },
);
export type GlobalWrites = Type.Static<typeof GlobalWrites>;
