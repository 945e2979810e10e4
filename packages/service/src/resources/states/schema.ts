import Type from 'typebox';
import { Choice, DateTime, readOnly } from '../../api/fields.ts';
import { STATE_NAME } from './rules.ts';

export const StateName = Type.Object({
  name: Type.String({ pattern: STATE_NAME, description: 'Letters, digits, dots, hyphens and underscores.' }),
});

export const SavedState = Type.Object(
  {
    bytes: readOnly(Type.Integer({ description: 'What its files hold.' })),
    clusters: readOnly(Type.Integer({ description: 'How many clusters are in it.' })),
    name: Type.String({ pattern: STATE_NAME, description: 'Its name.' }),
    saved: readOnly(DateTime({ description: 'When it was saved, by the clock of the machine.' })),
    version: readOnly(Type.String({ description: 'The version of the service that saved it.' })),
  },
  { description: 'The whole service as it was at one moment, its databases included.' },
);

const { bytes, clusters, name, saved, version } = SavedState.properties;

/** Also one that is damaged, so that it can be seen and deleted. */
export const ListedState = Type.Object(
  {
    bytes: Type.Optional(bytes),
    clusters: Type.Optional(clusters),
    name,
    problem: Type.Optional(
      readOnly(
        Type.String({ description: 'Why it cannot be used; its name is all else that is known of it then.' }),
      ),
    ),
    saved: Type.Optional(saved),
    version: Type.Optional(version),
  },
  { description: 'A saved state, or what is left of one.' },
);

export const OtherState = Type.Object({
  with: Type.Optional(
    Type.String({ description: 'The state that is compared; the service as it is now by default.' }),
  ),
});

export const StateDifference = Type.Object(
  {
    change: readOnly(Choice(['ADDED', 'CHANGED', 'REMOVED'])),
    id: readOnly(Type.String({ description: 'Its key, or cluster, database and collection.' })),
    kind: readOnly(Choice(['COLLECTION', 'RESOURCE'])),
    name: Type.Optional(readOnly(Type.String({ description: 'Its name, where it has one.' }))),
    type: readOnly(Type.String({ description: 'What it is: `project`, `cluster`, `collection`, …' })),
  },
  { description: 'Something in which two states differ.' },
);
