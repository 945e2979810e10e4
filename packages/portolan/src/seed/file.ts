import { readFileSync } from 'node:fs';
import { ConfigError } from '@portolan/foundation/command-line';
import Type, { type Static } from 'typebox';
import { Compile } from 'typebox/compile';
import { parse, parseDocument } from 'yaml';

/** Returns an object that becomes the body of an API request. */
const body = (description: string, needed: Readonly<Record<string, ReturnType<typeof Type.String>>>) =>
  Type.Object(needed, { description, additionalProperties: true });

const SeedData = Type.Object(
  {
    database: Type.String({ minLength: 1 }),
    collection: Type.String({ minLength: 1 }),
    documents: Type.Optional(
      Type.Array(Type.Record(Type.String(), Type.Unknown()), {
        description: 'Documents in Extended JSON.',
      }),
    ),
    file: Type.Optional(
      Type.String({
        description:
          'Path of a file with further documents, relative to the seed file. The file contains a JSON array, or one document per line.',
      }),
    ),
  },
  { additionalProperties: false },
);

const SeedCluster = Type.Object(
  { name: Type.String({ minLength: 1 }), data: Type.Optional(Type.Array(SeedData)) },
  {
    description: 'Request body that creates a cluster; by default an M10 replica set.',
    additionalProperties: true,
  },
);

const name = Type.String({ minLength: 1 });
const roles = Type.Array(Type.String());

const SeedProject = Type.Object(
  {
    name,
    users: Type.Optional(
      Type.Array(
        Type.Object(
          { username: name, roles },
          {
            description: 'Request body that adds a user of the organization to the project.',
            additionalProperties: false,
          },
        ),
      ),
    ),
    teams: Type.Optional(
      Type.Array(
        Type.Object(
          { name, roleNames: roles },
          {
            description: 'Name of a team of the organization, and its roles in the project.',
            additionalProperties: false,
          },
        ),
      ),
    ),
    accessList: Type.Optional(Type.Array(body('Entry of the access list: `ipAddress` or `cidrBlock`.', {}))),
    databaseUsers: Type.Optional(
      Type.Array(body('Request body that creates a database user.', { username: name })),
    ),
    clusters: Type.Optional(Type.Array(SeedCluster)),
  },
  {
    description: 'Request body that creates a project, and the content of the project.',
    additionalProperties: true,
  },
);

const SeedUser = Type.Object(
  { username: name, roles: Type.Optional(roles) },
  {
    description: 'Request body that creates a user; `roles` are names of organization roles.',
    additionalProperties: true,
  },
);

/** What a seed can create in an organization. */
const content = {
  users: Type.Optional(Type.Array(SeedUser)),
  teams: Type.Optional(
    Type.Array(body('Request body that creates a team: `name`, and `usernames` of its members.', { name })),
  ),
  projects: Type.Optional(Type.Array(SeedProject)),
  apiKeys: Type.Optional(
    Type.Array(
      body('Request body that creates an API key of the organization: `desc` and `roles`.', { desc: name }),
    ),
  ),
};

const SeedOrganization = Type.Object(
  {
    name,
    skipDefaultAlertsSettings: Type.Optional(
      Type.Boolean({
        description: 'Whether projects of the organization are created without default alert configurations.',
      }),
    ),
    ...content,
  },
  {
    description: 'A further organization and its content. Only its own `apiKeys` can access it.',
    additionalProperties: false,
  },
);

/** The initial content of a service. API requests create everything in it. */
export const Seed = Type.Object(
  {
    $schema: Type.Optional(Type.String()),
    ...content,
    organizations: Type.Optional(Type.Array(SeedOrganization)),
  },
  { additionalProperties: false },
);

export type Seed = Static<typeof Seed>;
export type SeedContent = Omit<Static<typeof SeedOrganization>, 'name' | 'skipDefaultAlertsSettings'>;
export type SeedProject = Static<typeof SeedProject>;
export type SeedCluster = Static<typeof SeedCluster>;
export type SeedData = Static<typeof SeedData>;

const check = Compile(Seed);

/** Reads and validates a seed. Throws a `ConfigError` with the position of the first error. */
export function readSeed(file: string): Seed {
  const content = readText(file);
  try {
    return checkSeed(/\.json$/.test(file) ? parseJson(content) : parse(content));
  } catch (error) {
    throw new ConfigError(`The seed file ${file}: ${(error as Error).message}`);
  }
}

/**
 * Parses JSON. Runs two parsers: the JSON parser has better messages for syntax errors, and the YAML parser detects
 * repeated keys. JSON is also YAML.
 */
function parseJson(content: string): unknown {
  const document = JSON.parse(content) as unknown;
  const twice = parseDocument(content).errors.find(({ code }) => code === 'DUPLICATE_KEY');
  if (twice !== undefined) throw twice;
  return document;
}

/** Like `readSeed`, for a document that was not read from a file. */
export function checkSeed(seed: unknown): Seed {
  if (check.Check(seed)) return seed;
  const [first] = check.Errors(seed);
  throw new ConfigError(`${placeOf(first?.instancePath ?? '')} ${first?.message}`);
}

/** Converts a JSON pointer: `/projects/0/name` becomes `projects[0].name`. */
function placeOf(pointer: string): string {
  const place = pointer
    .replace(/\/(\d+)/g, '[$1]')
    .replace(/\//g, '.')
    .replace(/^\./, '');
  return place === '' ? 'the document' : place;
}

/** Reads a file. Throws a `ConfigError` with the name of the file. */
export function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new ConfigError(`${file} cannot be read: ${(error as Error).message}`);
  }
}
