import { listOf, nested, words } from '../../shared/field-builders.ts';

/** This file declares the options that `create` and `collMod` have in common. */

export const validationLevel = words(['off', 'strict', 'moderate']);
export const validationAction = words(['error', 'warn', 'errorAndLog']);

/** Whether a collection stores pre-images and post-images. */
export const images = nested({ enabled: 'bool!' });

/** The stages of a view. Null entries are left out. */
export const viewPipeline = listOf('object', { skipsNull: true });
