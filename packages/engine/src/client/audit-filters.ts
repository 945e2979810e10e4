/**
 * Throws what is wrong with a filter of audit messages. The query language is loaded with the first of them: the service
 * does without it otherwise.
 */
export async function checkAuditFilter(text: string): Promise<void> {
  const { compileAuditFilter } = await import('../observe/audit-filter.ts');
  compileAuditFilter(text);
}
