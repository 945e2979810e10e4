/** What a pattern has that is wrong or cannot be done. */
export class PatternError extends Error {}
