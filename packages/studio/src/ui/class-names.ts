// Joins the names of classes.

/** The names that are given, with spaces between them. */
export const classNames = (...names: readonly (string | false | null | undefined)[]): string =>
  names.filter(Boolean).join(' ')
