// Tells the change of `.env` that a start makes itself, because it stores secrets that were missing, from those of people.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A line that the kernel appends: a name, and 32 random bytes in base64url. */
const madeSecret = /^[A-Z][A-Z\d_]*=[\w-]{43}$/

/** The text of the file `.env` of an application at one moment. */
export class EnvText {
  readonly #file: string
  readonly #text: string

  constructor(dir: string) {
    this.#file = join(dir, '.env')
    this.#text = textOf(this.#file)
  }

  /** Returns whether nothing has changed since then but that secrets were appended. */
  hasOnlyNewSecrets(): boolean {
    const text = textOf(this.#file)
    if (!text.startsWith(this.#text)) return false
    const lines = text
      .slice(this.#text.length)
      .split(/\r?\n/)
      .filter(line => line !== '')
    return lines.every(line => madeSecret.test(line))
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw error
  }
}
