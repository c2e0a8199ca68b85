// Draws landscapes as PNG files, so that the repository contains no picture. Run as a program, it writes one to its output.
// It knows nothing about the magazine.

import { crc32, deflateSync } from 'node:zlib'
import { createRandom, type Random } from './random.ts'

/** The scene that is drawn: hills under a sky, of one colour. Equal scenes give equal files. */
export interface Scene {
  /** In pixels. */
  readonly width: number
  readonly height: number
  /** Such as `#b5542b`. */
  readonly colour: string
  readonly seed: number
}

type Colour = readonly [red: number, green: number, blue: number]

// The colours are numbered, which keeps the file small: those of the sky from top to bottom, that of the sun, and those of
// each range of hills from its crest down.
const skyColours = 128
const sun = skyColours
const ranges = 4
const rangeColours = 24

const paper: Colour = [250, 244, 230]
const night: Colour = [24, 28, 40]

/** The scene as a PNG file. */
export function drawScene({ width, height, colour, seed }: Scene): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  // Eight bits per pixel, which are the number of a colour.
  header.set([8, 3, 0, 0, 0], 8)
  const pixels = drawPixels(width, height, createRandom(seed))
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  const parts = [
    ['IHDR', header],
    ['PLTE', makePalette(colourOf(colour))],
    ['IDAT', deflateSync(pixels, { level: 6 })],
    ['IEND', Buffer.alloc(0)],
  ] as const
  return Buffer.concat([signature, ...parts.map(([name, data]) => chunk(name, data))])
}

function chunk(name: string, data: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from(name, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(content))
  return Buffer.concat([length, content, sum])
}

function colourOf(text: string): Colour {
  const value = Number.parseInt(text.slice(1), 16)
  return [value >> 16, (value >> 8) & 255, value & 255]
}

/** The colour between two, at a place from 0 to 1. */
const mix = (one: Colour, other: Colour, place: number): Colour =>
  one.map((value, i) => Math.round(value + (other[i]! - value) * place)) as unknown as Colour

function makePalette(colour: Colour): Buffer {
  const list = (length: number, make: (place: number) => Colour) =>
    Array.from({ length }, (_, i) => make(i / (length - 1)))
  const sky = list(skyColours, place => mix(mix(colour, paper, 0.45), paper, place))
  const hills = list(ranges, place => mix(mix(colour, paper, 0.4), mix(colour, night, 0.6), place))
  const shaded = hills.flatMap(crest => list(rangeColours, place => mix(crest, night, place * 0.3)))
  return Buffer.from([...sky, mix(paper, [255, 255, 255], 0.6), ...shaded].flat())
}

/** The rows of the picture, each behind a byte that says how it is filtered: not at all. */
function drawPixels(width: number, height: number, random: Random): Buffer {
  const crests = Array.from({ length: ranges }, (_, range) => drawCrest(width, height, range, random))
  const radius = height * 0.09
  const [sunX, sunY] = [width * (random.between(20, 80) / 100), height * (random.between(18, 34) / 100)]
  const pixels = Buffer.alloc((width + 1) * height)
  for (let y = 0; y < height; y++) {
    const sky = Math.min(skyColours - 1, Math.floor((y / (height * 0.7)) * skyColours))
    for (let x = 0; x < width; x++) {
      let range = ranges - 1
      while (range >= 0 && crests[range]![x]! > y) range--
      const isSun = range < 0 && (x - sunX) ** 2 + (y - sunY) ** 2 < radius ** 2
      pixels[y * (width + 1) + 1 + x] = range < 0 ? (isSun ? sun : sky) : shadeOf(range, y - crests[range]![x]!, height)
    }
  }
  return pixels
}

function shadeOf(range: number, depth: number, height: number): number {
  const shade = Math.min(rangeColours - 1, Math.floor((depth / (height * 0.35)) * rangeColours))
  return sun + 1 + range * rangeColours + shade
}

/** The upper end of a range of hills, for each column. Nearer ranges are lower and rounder. */
function drawCrest(width: number, height: number, range: number, random: Random): Float64Array {
  const middle = height * (0.45 + range * 0.14)
  const waves = [1, 2, 5].map(count => ({
    turns: count * (random.between(70, 130) / 100) * 2 * Math.PI,
    begin: random.between(0, 628) / 100,
    size: ((height * 0.075) / count) * (1.4 - range * 0.2),
  }))
  return Float64Array.from({ length: width }, (_, x) =>
    waves.reduce((y, { turns, begin, size }) => y + Math.sin((x / width) * turns + begin) * size, middle),
  )
}

if (process.argv[1] === import.meta.filename)
  process.stdout.write(drawScene({ width: 1200, height: 800, colour: '#5c5f66', seed: 1887 }))
