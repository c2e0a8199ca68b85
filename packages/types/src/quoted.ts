// Writes a text as a literal of TypeScript.

/** The text in single quotes, as formatters write it. */
export function quoted(text: string): string {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
}
