/**
 * States of a log export. `BUCKET_VERIFIED` lasts until the next step of the task that verifies the bucket. The two
 * failed states end when a later export succeeds, or when the configuration changes.
 */
export const logExportStates = [
  'UNCONFIGURED',
  'INITIATING',
  'BUCKET_VERIFIED',
  'BUCKET_VERIFICATION_FAILED',
  'ASSUME_ROLE_FAILED',
  'ACTIVE',
] as const;
export type LogExportState = (typeof logExportStates)[number];

/** Whether the service exports logs in this state, or tries to export them again. */
export const isStarted = (state: LogExportState) =>
  state === 'ACTIVE' || state === 'BUCKET_VERIFICATION_FAILED' || state === 'ASSUME_ROLE_FAILED';
