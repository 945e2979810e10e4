/** The folder of the library's files, in the source or in the package. */
export const folder: string;
