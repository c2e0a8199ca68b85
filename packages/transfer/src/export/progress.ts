// The progress of an export, for the code that shows it. Data only.

/** Is called with the share that is done, between 0 and 1, and a text that says what is done. */
export type OnProgress = (share: number, text: string) => void
