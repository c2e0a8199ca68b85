// Pictures: their size and their formats, made by sharp if it is installed (B-11.12). Without it a picture is a file
// like any other. Knows temporary files, no storage and no records.

import { mkdir } from 'node:fs/promises'
import { PlinthError } from '@plinth/kernel'
import { Decoder } from './decoder.ts'
import { Turns } from './turns.ts'
import type { MadeFormat } from './worker.ts'

/** The number of pictures that are decoded at once: each may take a processor, and 4 bytes of memory per pixel. */
const maxDecoded = 2

/** The types that are looked at. */
const decodable = new Set([
  'image/jpeg',
  'image/png',
  'image/webp',
  'image/tiff',
  'image/gif',
  'image/svg+xml',
  'image/avif',
])

/** An SVG is read into memory as a whole. */
const largestSvg = 10_000_000

export interface PictureSettings {
  readonly breakpoints: Readonly<Record<string, number>>
  readonly maxPixels: number
  /** For one picture, in milliseconds. */
  readonly timeLimit: number
  readonly maxWaiting: number
}

/** A picture in a temporary file. */
export interface PictureFile {
  readonly path: string
  readonly size: number
  readonly mime: string
}

/** The properties of a picture. Its formats are files in `folder`, by their names. */
export interface Picture {
  readonly width: number
  readonly height: number
  readonly folder: string
  readonly formats: readonly MadeFormat[]
}

/** The folder of the formats of a temporary file. */
export const formatsOf = (path: string) => `${path}.formats`

export class Pictures {
  readonly #settings: PictureSettings
  readonly #turns: Turns
  readonly #decoders: Decoder[]
  readonly #isInstalled: boolean

  constructor(settings: PictureSettings, isInstalled: boolean) {
    this.#settings = settings
    this.#isInstalled = isInstalled
    const { maxWaiting, timeLimit } = settings
    this.#turns = new Turns({ maxRunning: maxDecoded, maxWaiting, message: 'Too many pictures at the moment' })
    this.#decoders = Array.from({ length: maxDecoded }, () => new Decoder(timeLimit))
  }

  /**
   * Looks at a file and makes its formats in `formatsOf(path)`, which the caller removes, also after an error. Returns
   * null for a file that is not a picture, and for one that cannot be decoded. Throws PlinthError 413 for too many
   * pixels, ValidationError for one that takes too long, and UnavailableError if too many pictures wait.
   */
  async look({ path, size, mime }: PictureFile, signal: AbortSignal): Promise<Picture | null> {
    if (!this.#isInstalled || !decodable.has(mime)) return null
    if (mime === 'image/svg+xml' && size > largestSvg) return null
    const folder = formatsOf(path)
    const { maxPixels, breakpoints } = this.#settings
    return this.#turns.run(signal, async () => {
      await mkdir(folder)
      // There are as many as there are turns.
      const decoder = this.#decoders.pop()!
      try {
        const reply = await decoder.look({ path, mime, folder, maxPixels, breakpoints }, signal)
        if (reply.state === 'large') throw tooManyPixels(maxPixels)
        return reply.state === 'done' ? { ...reply, folder } : null
      } finally {
        this.#decoders.push(decoder)
      }
    })
  }

  close(): void {
    for (const decoder of this.#decoders) decoder.close()
  }
}

function tooManyPixels(most: number): PlinthError {
  return new PlinthError(413, 'PayloadTooLargeError', `The picture has more than ${most} pixels`)
}
