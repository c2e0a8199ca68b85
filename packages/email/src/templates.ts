// Fills the texts of mails. A template has variables such as `<%= USER.username %>`; they are looked up and never evaluated,
// as v4's templates once were (CVE-2023-22621, security.md row 21).

/** Values by name. Only text and numbers are shown. */
export interface Variables {
  readonly [name: string]: string | number | boolean | null | undefined | Variables
}

/** Replaces the variables of a text. Unknown ones are empty; `present` is applied to each value. */
export function fill(text: string, variables: Variables, present: (value: string) => string = value => value): string {
  return text.replace(/<%[=-]([^%]*)%>/g, (_, path: string) => present(lookUp(path.trim(), variables)))
}

function lookUp(path: string, variables: Variables): string {
  let value: unknown = variables
  for (const name of path.split('.')) {
    if (value === null || typeof value !== 'object' || !Object.hasOwn(value, name)) return ''
    value = (value as Record<string, unknown>)[name]
  }
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Escapes a text for HTML. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, one => entities[one]!)

/** Returns HTML as plain text: without its tags. It is for templates, before variables are filled in. */
export const withoutTags = (html: string): string => html.replace(/<(?!%)[^<>]*>/g, '').trim()
