// The process that decodes pictures. It is a process and not a thread, because only a process can be stopped while it
// decodes, and because a fault of a decoder must not end the server. It knows paths only.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp, { type SharpOptions } from 'sharp'

/** A picture to look at, and the formats to make of it. */
export interface PictureOrder {
  readonly id: number
  readonly path: string
  readonly mime: string
  /** The folder to which formats are written. */
  readonly folder: string
  /** The maximum number of pixels of a picture. */
  readonly maxPixels: number
  /** The sizes of formats by their names; a format fits into a square of this size (B-11.12). */
  readonly breakpoints: Readonly<Record<string, number>>
}

/** A format that was made, in the folder of the order under its name. */
export interface MadeFormat {
  readonly name: string
  readonly width: number
  readonly height: number
  /** In bytes. */
  readonly size: number
}

/** The properties of a picture. */
export type PictureReply = { readonly id: number } & (
  | { readonly state: 'done'; readonly width: number; readonly height: number; readonly formats: readonly MadeFormat[] }
  /** It cannot be decoded: it is a file like any other. */
  | { readonly state: 'broken' }
  /** It has too many pixels. */
  | { readonly state: 'large' }
)

// Two processes would keep twice as much.
sharp.cache(false)
sharp.concurrency(1)

/** v4 decodes what is broken as far as it goes. */
const lenient = { failOn: 'none', sequentialRead: true } as const

/** Formats of which smaller ones are made. Of others only the size is known (B-11.12). */
const resizable = ['jpeg', 'png', 'webp', 'tiff', 'gif'] as const
type Resizable = (typeof resizable)[number]

async function look(order: PictureOrder): Promise<PictureReply> {
  const { id, maxPixels } = order
  // From a path, an SVG could load its neighbours; from memory it loads nothing (security.md row 82).
  const input = order.mime === 'image/svg+xml' ? await readFile(order.path) : order.path
  const { autoOrient, format } = await sharp(input, { ...lenient, limitInputPixels: false }).metadata()
  // As the picture is to be seen: a camera stores it as its sensor lies, with a tag that says how it was held.
  const { width, height } = autoOrient
  if (width === undefined || height === undefined) return { id, state: 'broken' }
  if (width * height > maxPixels) return { id, state: 'large' }
  const formats: MadeFormat[] = []
  if (isResizable(format)) {
    const options = { ...lenient, limitInputPixels: maxPixels }
    for (const size of formatSizes(order, width, height)) formats.push(await resize({ order, options, format }, size))
  }
  return { id, state: 'done', width, height, formats }
}

interface FormatSize {
  readonly name: string
  readonly width: number
  readonly height: number
}

/** The formats that are smaller than the picture; the thumbnail is first. */
function formatSizes({ breakpoints }: PictureOrder, width: number, height: number): FormatSize[] {
  const all = [
    { name: 'thumbnail', width: 245, height: 156 },
    ...Object.entries(breakpoints).map(([name, size]) => ({ name, width: size, height: size })),
  ]
  return all.filter(one => one.width < width || one.height < height)
}

async function resize(
  { order, options, format }: { order: PictureOrder; options: SharpOptions; format: Resizable },
  { name, width, height }: FormatSize,
): Promise<MadeFormat> {
  const info = await sharp(order.path, options)
    .autoOrient()
    .resize({ width, height, fit: 'inside' })
    .toFormat(format)
    .toFile(join(order.folder, name))
  return { name, width: info.width, height: info.height, size: info.size }
}

function isResizable(format: string | undefined): format is Resizable {
  return (resizable as readonly (string | undefined)[]).includes(format)
}

process.on('message', (order: PictureOrder) => {
  look(order)
    .catch((): PictureReply => ({ id: order.id, state: 'broken' }))
    .then(reply => process.send?.(reply))
})
// The server has gone.
process.on('disconnect', () => process.exit())
