import type { ConfigurationRow } from './rows.ts';

export function presentConfiguration(row: ConfigurationRow) {
  const { id, groupId, created, updated, enabled, eventType, document } = row;
  return { ...document, created, enabled, eventTypeName: eventType, groupId, id, updated };
}
