import Type from 'typebox';
import { Choice, readOnly } from '../../api/fields.ts';

/** Maximum number of properties of a seed. Valid seeds have fewer. */
const MAX_PROPERTIES = 100;

const SeedDocument = (description: string) =>
  Type.Object({}, { additionalProperties: true, maxProperties: MAX_PROPERTIES, description });

export const SeedRequest = Type.Object({
  seed: SeedDocument(
    'Content of a seed file: users, teams, API keys, projects, clusters and documents. `file` is not allowed.',
  ),
});

export const AppliedSeed = Type.Object(
  {
    origin: Type.Optional(
      readOnly(
        Choice(['REQUEST', 'START'], {
          description:
            '`START`: the seed was given when the service was started. `REQUEST`: an operator sent the seed in a request.',
        }),
      ),
    ),
    problem: Type.Optional(
      readOnly(
        Type.String({
          description: 'Why the seed could not be applied, with the position of the entry that failed.',
        }),
      ),
    ),
    results: Type.Optional(
      readOnly(
        Type.Array(
          Type.Object({
            created: Type.Integer({ description: 'Number of resources or documents that were created.' }),
            existing: Type.Integer({ description: 'Number of resources or documents that existed before.' }),
            place: Type.String({
              description: 'Position of the entry in the seed, such as `projects[0].clusters[1]`.',
            }),
          }),
          { description: 'Results so far, one for each entry of the seed that the service has applied.' },
        ),
      ),
    ),
    seed: Type.Optional(
      readOnly(
        SeedDocument(
          'The seed, without passwords. In place of documents, it contains the number of these documents.',
        ),
      ),
    ),
    status: readOnly(
      Choice(['NONE', 'APPLYING', 'APPLIED', 'FAILED'], {
        description:
          '`NONE`: this process has applied no seed. `APPLIED`: the clusters contain their documents.',
      }),
    ),
  },
  { description: 'The latest seed that this process has applied.' },
);
