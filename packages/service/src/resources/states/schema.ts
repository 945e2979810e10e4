import Type from 'typebox';
import { Choice, DateTime, readOnly } from '../../api/fields.ts';
import { STATE_NAME } from './rules.ts';

export const StateName = Type.Object({
  name: Type.String({ pattern: STATE_NAME, description: 'Letters, digits, dots, hyphens and underscores.' }),
});

export const SavedState = Type.Object(
  {
    bytes: readOnly(Type.Integer({ description: "Size of the state's files in bytes." })),
    clusters: readOnly(Type.Integer({ description: 'Number of clusters in the state.' })),
    name: Type.String({ pattern: STATE_NAME, description: 'Name of the state.' }),
    saved: readOnly(DateTime({ description: 'Time of saving, in machine time.' })),
    version: readOnly(Type.String({ description: 'Version of the service that saved the state.' })),
  },
  { description: 'A saved state of the whole service including its databases.' },
);

const { bytes, clusters, name, saved, version } = SavedState.properties;

/** Includes damaged states, so that they can be seen and deleted. */
export const ListedState = Type.Object(
  {
    bytes: Type.Optional(bytes),
    clusters: Type.Optional(clusters),
    name,
    problem: Type.Optional(
      readOnly(
        Type.String({ description: 'Why the state cannot be restored; other fields are absent then.' }),
      ),
    ),
    saved: Type.Optional(saved),
    version: Type.Optional(version),
  },
  { description: 'A saved state, possibly damaged.' },
);

export const OtherState = Type.Object({
  with: Type.Optional(
    Type.String({ description: 'Name of the state to compare with; the current state by default.' }),
  ),
});

export const StateDifference = Type.Object(
  {
    change: readOnly(Choice(['ADDED', 'CHANGED', 'REMOVED'])),
    id: readOnly(
      Type.String({ description: 'Key of the resource; cluster, database and collection for a collection.' }),
    ),
    kind: readOnly(Choice(['COLLECTION', 'RESOURCE'])),
    name: Type.Optional(readOnly(Type.String({ description: 'Name of the resource, if it has one.' }))),
    type: readOnly(
      Type.String({ description: 'Type of the resource, such as `project`, `cluster` or `collection`.' }),
    ),
  },
  { description: 'A difference between two states.' },
);
