/** Returns the headers of every response (docs/contract/access.md 10). */
export function commonHeaders(build: { version: string; commit: string } | undefined, secure: boolean) {
  return {
    ...(secure ? { 'strict-transport-security': 'max-age=31536000; includeSubdomains;' } : {}),
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'x-permitted-cross-domain-policies': 'none',
    ...(build ? { 'x-service-version': `gitHash=${build.commit}; versionString=${build.version}` } : {}),
  };
}
