import Type from 'typebox';

const optional = Type.Optional;
const count = (description: string) => optional(Type.Integer({ description }));
const flag = (description: string) => optional(Type.Boolean({ description }));
const text = (description: string) => optional(Type.String({ maxLength: 255, description }));
const document = (description: string) =>
  optional(Type.Record(Type.String(), Type.Unknown(), { maxProperties: 100, description }));

const IndexOptions = Type.Object(
  {
    '2dsphereIndexVersion': count('Version of a 2dsphere index.'),
    background: flag('Has no effect.'),
    bits: count('Number of bits of the geohash of a 2d index.'),
    default_language: text('Default language of a text index.'),
    expireAfterSeconds: count(
      'Number of seconds after which a document is deleted, counted from the date in the indexed field.',
    ),
    hidden: flag('Whether the query planner ignores the index.'),
    language_override: text('Name of the field that contains the language of a document, for a text index.'),
    max: count('Upper bound of the coordinates of a 2d index.'),
    min: count('Lower bound of the coordinates of a 2d index.'),
    name: text('Name of the index.'),
    partialFilterExpression: document('Filter that selects the documents to index.'),
    sparse: flag('Whether the index omits documents that lack its fields.'),
    storageEngine: document('Has no effect.'),
    textIndexVersion: count('Version of a text index.'),
    unique: flag(
      'Whether the index rejects a document if another document already has the same values in the indexed fields.',
    ),
    weights: document('Weight of each field of a text index.'),
  },
  { description: 'Options of the index, as in the database command `createIndexes`.' },
);

export const RollingIndex = Type.Object(
  {
    collation: document('Collation of the index.'),
    collection: Type.String({ minLength: 1, maxLength: 255, description: 'Name of the collection.' }),
    db: Type.String({ minLength: 1, maxLength: 63, description: 'Name of the database.' }),
    keys: Type.Array(
      Type.Record(Type.String(), Type.Union([Type.String({ maxLength: 64 }), Type.Integer()]), {
        maxProperties: 32,
      }),
      {
        minItems: 1,
        maxItems: 32,
        description:
          'Fields of the index in order, each with 1 (ascending), -1 (descending) or a type such as `text`.',
      },
    ),
    options: optional(IndexOptions),
  },
  { description: 'An index to be built.' },
);
export type RollingIndex = Type.Static<typeof RollingIndex>;
