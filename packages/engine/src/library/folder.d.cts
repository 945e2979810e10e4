/** The folder that the library's files are in, in the source or in the package. */
export const folder: string;
