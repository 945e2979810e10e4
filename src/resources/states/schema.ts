import Type from 'typebox';
import { DateTime, readOnly } from '../../api/fields.ts';
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
