// Tells the change of `.env` that a start makes itself, because it stores secrets that were missing, from those of people.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A line that the kernel appends: a name, and 32 random bytes in base64url. */
const madeSecret = /^[A-Z][A-Z\d_]*=[\w-]{43}$/

/** The text of the file `.env` that a server has read, with the secrets that its start has appended. */
export class EnvText {
  readonly #file: string
  #text: string
  #isStarting = true

  /** Reads the text, before the server starts. */
  constructor(dir: string) {
    this.#file = join(dir, '.env')
    this.#text = textOf(this.#file)
  }

  /** Called when the start has succeeded or failed: from now on, a secret that is appended is that of a person. */
  endStart(): void {
    if (this.#hasOnlyNewSecrets()) this.#text = textOf(this.#file)
    this.#isStarting = false
  }

  /** Returns whether the server does not know the text that the file has now. */
  isStale(): boolean {
    return this.#isStarting ? !this.#hasOnlyNewSecrets() : textOf(this.#file) !== this.#text
  }

  /** Returns whether nothing was changed but that secrets were appended. */
  #hasOnlyNewSecrets(): boolean {
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
