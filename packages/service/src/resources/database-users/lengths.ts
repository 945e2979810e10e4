/**
 * Maximum lengths of names in roles. For databases and collections, these are the limits of the database servers.
 * Without a maximum, the roles of a project could have hundreds of megabytes.
 */
export const MAX_DATABASE_NAME = 63;
export const MAX_COLLECTION_NAME = 255;
export const MAX_ROLE_NAME = 255;
