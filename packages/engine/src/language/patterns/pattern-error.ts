/** The pattern is invalid or uses an unsupported feature. */
export class PatternError extends Error {}
