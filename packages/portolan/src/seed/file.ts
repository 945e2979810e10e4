import { readFileSync } from 'node:fs';
import { ConfigError } from '@portolan/foundation/command-line';
import Type, { type Static } from 'typebox';
import { Compile } from 'typebox/compile';
import { parse, parseDocument } from 'yaml';

/** What the request of the API takes that makes it. */
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
          'A file with more of them: a JSON array, or one document per line; relative to the seed file.',
      }),
    ),
  },
  { additionalProperties: false },
);

const SeedCluster = Type.Object(
  { name: Type.String({ minLength: 1 }), data: Type.Optional(Type.Array(SeedData)) },
  {
    description: 'The body that makes a cluster; of the size M10 where nothing is said.',
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
            description: 'The body that adds a user of the organization to the project.',
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
            description: 'A team of the organization, by its name, and its roles in the project.',
            additionalProperties: false,
          },
        ),
      ),
    ),
    accessList: Type.Optional(
      Type.Array(body('An entry of the access list: `ipAddress` or `cidrBlock`.', {})),
    ),
    databaseUsers: Type.Optional(
      Type.Array(body('The body that makes a database user.', { username: name })),
    ),
    clusters: Type.Optional(Type.Array(SeedCluster)),
  },
  { description: 'The body that makes a project, and what is in it.', additionalProperties: true },
);

const SeedUser = Type.Object(
  { username: name, roles: Type.Optional(roles) },
  {
    description: 'The body that makes a user; `roles` are names of roles in the organization.',
    additionalProperties: true,
  },
);

/** What is in an organization. */
const content = {
  users: Type.Optional(Type.Array(SeedUser)),
  teams: Type.Optional(
    Type.Array(body('The body that makes a team: `name`, and `usernames` of its members.', { name })),
  ),
  projects: Type.Optional(Type.Array(SeedProject)),
  apiKeys: Type.Optional(
    Type.Array(
      body('The body that makes an API key of the organization: `desc` and `roles`.', { desc: name }),
    ),
  ),
};

const SeedOrganization = Type.Object(
  {
    name,
    skipDefaultAlertsSettings: Type.Optional(
      Type.Boolean({ description: 'Whether its projects begin without alert configurations.' }),
    ),
    ...content,
  },
  {
    description: 'An organization beside the first one, and what is in it. Its `apiKeys` lead to it.',
    additionalProperties: false,
  },
);

/** What a service begins with. Everything is made as callers of the API would make it. */
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

/** Throws a `ConfigError` that names the place of what is wrong with it. */
export function readSeed(file: string): Seed {
  const content = readText(file);
  try {
    return checkSeed(/\.json$/.test(file) ? parseJson(content) : parse(content));
  } catch (error) {
    throw new ConfigError(`The seed file ${file}: ${(error as Error).message}`);
  }
}

/** JSON is YAML, too: its own parser says better what is no JSON, the other one what is given twice. */
function parseJson(content: string): unknown {
  const document = JSON.parse(content) as unknown;
  const twice = parseDocument(content).errors.find(({ code }) => code === 'DUPLICATE_KEY');
  if (twice !== undefined) throw twice;
  return document;
}

/** The same for a document that was not read from a file. */
export function checkSeed(seed: unknown): Seed {
  if (check.Check(seed)) return seed;
  const [first] = check.Errors(seed);
  throw new ConfigError(`${placeOf(first?.instancePath ?? '')} ${first?.message}`);
}

/** `/projects/0/name` as `projects[0].name`. */
function placeOf(pointer: string): string {
  const place = pointer
    .replace(/\/(\d+)/g, '[$1]')
    .replace(/\//g, '.')
    .replace(/^\./, '');
  return place === '' ? 'the document' : place;
}

/** Throws a `ConfigError` that names the file. */
export function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new ConfigError(`${file} cannot be read: ${(error as Error).message}`);
  }
}
