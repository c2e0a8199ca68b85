// The parts of an archive, in v4's words. Data only.

/** `content`: entries with everything that belongs to them. `files`: what the upload plugin stores. */
export type Part = 'content' | 'files'
