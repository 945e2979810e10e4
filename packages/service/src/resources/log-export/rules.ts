import { badValue } from '../../api/faults.ts';
import type { ReadTx } from '../../store/index.ts';
import { logExportFaults } from './faults.ts';
import { findLogExport, type LogExportRow } from './rows.ts';
import { bucketNames } from './schema.ts';

/** Throws PUSH_BASED_LOG_EXPORT_NOT_CONFIGURED if the project has no log export. */
export async function requireLogExport(tx: ReadTx, groupId: string): Promise<LogExportRow> {
  const row = await findLogExport(tx, groupId);
  if (row === undefined) throw logExportFaults.PUSH_BASED_LOG_EXPORT_NOT_CONFIGURED(groupId);
  return row;
}

/** Throws PUSH_BASED_LOG_EXPORT_ALREADY_CONFIGURED if the project has a log export. */
export async function requireNoLogExport(tx: ReadTx, groupId: string): Promise<void> {
  if ((await findLogExport(tx, groupId)) !== undefined)
    throw logExportFaults.PUSH_BASED_LOG_EXPORT_ALREADY_CONFIGURED(groupId);
}

/** Throws if the text is no name of an S3 bucket. */
export function checkBucketName(name: string): void {
  const { minLength, maxLength, pattern } = bucketNames;
  if (name.length >= minLength && name.length <= maxLength && new RegExp(pattern).test(name)) return;
  throw badValue('bucketName', 'must have 3 to 63 lower-case letters, digits, dots and hyphens');
}
