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
    bits: count('Precision of a 2d index.'),
    default_language: text('Language of a text index.'),
    expireAfterSeconds: count('Age at which documents are deleted.'),
    hidden: flag('Whether queries ignore the index.'),
    language_override: text('Field with the language of a document.'),
    max: count('Upper bound of a 2d index.'),
    min: count('Lower bound of a 2d index.'),
    name: text('Name of the index.'),
    partialFilterExpression: document('Which documents are indexed.'),
    sparse: flag('Whether documents without the fields are left out.'),
    storageEngine: document('Has no effect.'),
    textIndexVersion: count('Version of a text index.'),
    unique: flag('Whether values must be unique.'),
    weights: document('Weights of the fields of a text index.'),
  },
  { description: 'Options of the command createIndexes.' },
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
      { minItems: 1, maxItems: 32, description: 'Fields in order, each with its direction or type.' },
    ),
    options: optional(IndexOptions),
  },
  { description: 'An index to be built on a cluster.' },
);
export type RollingIndex = Type.Static<typeof RollingIndex>;
