import Type from 'typebox';
import { Choice, DateTime, readOnly } from '../../api/fields.ts';
import { STATE_NAME } from './rules.ts';

export const StateName = Type.Object({
  name: Type.String({
    pattern: STATE_NAME,
    description: 'Name of the state: letters, digits, dots, hyphens and underscores.',
  }),
});

export const SavedState = Type.Object(
  {
    bytes: readOnly(Type.Integer({ description: "Size of the state's files in bytes." })),
    clusters: readOnly(Type.Integer({ description: 'Number of clusters in the state.' })),
    name: Type.String({ pattern: STATE_NAME, description: 'Name of the state.' }),
    saved: readOnly(
      DateTime({
        description: 'Time at which the state was saved, by the clock of the machine, not service time.',
      }),
    ),
    version: readOnly(Type.String({ description: 'Version of the service that saved the state.' })),
  },
  { description: 'A saved state: a copy of the whole service, with its databases.' },
);

const { bytes, clusters, name, saved, version } = SavedState.properties;

/** A saved state in a list. Lists include damaged states, so that operators can see and delete them. */
export const ListedState = Type.Object(
  {
    bytes: Type.Optional(bytes),
    clusters: Type.Optional(clusters),
    name,
    problem: Type.Optional(
      readOnly(
        Type.String({
          description:
            'Why the state cannot be restored. A state with this field has no other field except `name`.',
        }),
      ),
    ),
    saved: Type.Optional(saved),
    version: Type.Optional(version),
  },
  { description: 'A saved state. A damaged state can only be deleted.' },
);

export const OtherState = Type.Object({
  with: Type.Optional(
    Type.String({ description: 'Name of the saved state to compare with; by default, the current state.' }),
  ),
});

export const StateDifference = Type.Object(
  {
    change: readOnly(
      Choice(['ADDED', 'CHANGED', 'REMOVED'], {
        description:
          '`ADDED`: only the second state has the resource or collection. `REMOVED`: only the first state has it.',
      }),
    ),
    id: readOnly(
      Type.String({ description: 'Id of the resource. For a collection: its cluster, database and name.' }),
    ),
    kind: readOnly(
      Choice(['COLLECTION', 'RESOURCE'], {
        description: 'What differs: a resource, or a collection of a cluster.',
      }),
    ),
    name: Type.Optional(readOnly(Type.String({ description: 'Name of the resource, if it has one.' }))),
    type: readOnly(
      Type.String({ description: 'Type of the resource, such as `project`, `cluster` or `collection`.' }),
    ),
  },
  {
    description:
      'A difference between two states: a resource or collection that was added, changed or removed.',
  },
);
