// Reads and writes the text of `.env`. v4 reads it by dotenv, which takes `NAME: value` too; Node takes `NAME=value` alone.

const line =
  /^\s*(?:export\s+)?([\w.-]+)(?:\s*=\s*?|:\s+?)(\s*'(?:\\'|[^'])*'|\s*"(?:\\"|[^"])*"|\s*`(?:\\`|[^`])*`|[^#\r\n]+)?\s*(?:#.*)?$/gm

/** The variables, as dotenv reads them; the last one of a name counts. */
export function variablesOf(text: string): Record<string, string> {
  const variables: Record<string, string> = {}
  for (const [, name, written = ''] of text.replaceAll(/\r\n?/g, '\n').matchAll(line)) {
    const value = written.trim()
    const [, quote, inner] = /^(['"`])([\s\S]*)\1$/.exec(value) ?? []
    const bare = inner ?? value
    variables[name!] = quote === '"' ? bare.replaceAll('\\n', '\n').replaceAll('\\r', '\r') : bare
  }
  return variables
}

/** A value as `.env` has it, so that Node reads the same. */
export function quoted(value: string): string {
  if (/^[\w./:@,=+-]*$/.test(value)) return value
  const quote = ["'", '"', '`'].find(one => !value.includes(one) && !(one === '"' && /\\[nr]/.test(value)))
  return quote === undefined ? value : `${quote}${value}${quote}`
}
