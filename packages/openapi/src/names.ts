// Chooses the names of schemas, all distinct: those of v4's documentation (B-12.4), and a number behind a name that is
// taken.

import type { ContentType } from '@plinth/kernel'

/** `my-article` → `MyArticle`. Only characters that the names of schemas may have are left. */
export function pascal(text: string): string {
  return text
    .split(/[^A-Za-z0-9]+/)
    .map(word => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('')
}

/** The name that a type would like to have. */
export function wishedName({ uid, kind, singularName, globalId }: ContentType): string {
  if (kind === 'component') return `${pascal(uid)}Component`
  return pascal(uid.startsWith('api::') ? singularName : globalId) || 'Type'
}

/** The names of one document. */
export class SchemaNames {
  readonly #taken = new Set<string>()

  /** Takes a name, with a number behind it if another owner has it. */
  take(wished: string): string {
    const base = wished.replaceAll(/[^A-Za-z0-9._-]/g, '')
    let name = base
    for (let i = 2; this.#taken.has(name.toLowerCase()); i++) name = `${base}${i}`
    // Tools make files of schemas, which may be on a file system that does not tell cases apart.
    this.#taken.add(name.toLowerCase())
    return name
  }
}
