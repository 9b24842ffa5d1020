/** The largest file that is taken; 50,000 references are about 15 MB. */
export const MAX_FILE_BYTES = 20 * 1024 * 1024;
