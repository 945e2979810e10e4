export { createApi } from './create-api.ts';
export { defaultLimits, type Limits } from './http/limits.ts';
export type { Mount, MountAnswer, MountRequest } from './mounts.ts';
export type { ApiOptions, EdgeServices } from './options.ts';
export { rateMigrations } from './rates/migrations.ts';
