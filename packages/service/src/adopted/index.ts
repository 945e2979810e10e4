export { type AccountBook, disturbedRecord, keyOf, mergedRecord, Outdated } from './accounts/index.ts';
export type { AdoptedConnection } from './connection.ts';
export type { DropPermit } from './drops.ts';
export { type AdoptedEngine, adoptedEngine, type Look } from './engine.ts';
export { namesFrom } from './names.ts';
export type { Adoptions } from './open-deployments.ts';
