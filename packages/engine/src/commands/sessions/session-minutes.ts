/** A session that nobody has used for this long ends. */
export const SESSION_MINUTES = 30;
