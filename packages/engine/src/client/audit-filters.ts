/**
 * Throws an error that describes an invalid audit filter. The query language is loaded on first use, as the service
 * does not need it otherwise.
 */
export async function checkAuditFilter(text: string): Promise<void> {
  const { compileAuditFilter } = await import('../observe/audit-filter.ts');
  compileAuditFilter(text);
}
