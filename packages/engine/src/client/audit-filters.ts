/**
 * Throws an error with the reason if an audit filter is invalid. Loads the query language on first use,
 * because the service needs it only for this purpose.
 */
export async function checkAuditFilter(text: string): Promise<void> {
  const { compileAuditFilter } = await import('../observe/audit-filter.ts');
  compileAuditFilter(text);
}
