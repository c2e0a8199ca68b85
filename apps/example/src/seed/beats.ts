// The ten beats of the magazine, and the reader of their texts: one Markdown file each, in `beats/`.

import { readFileSync } from 'node:fs'

/**
 * A text and the condition for its use: openings by number, or words that the article must contain. Without a condition
 * it fits all articles.
 */
export interface Passage {
  text: string
  openings: readonly number[]
  words: readonly string[]
}

/** One beat: a category of its own, and all texts about it. */
export interface Beat {
  slug: string
  topic: string
  description: string
  tags: readonly string[]
  name: string
  titles: readonly Passage[]
  standfirsts: readonly Passage[]
  openings: readonly Passage[]
  how: readonly Passage[]
  why: readonly Passage[]
  closings: readonly Passage[]
  quotes: readonly Passage[]
  subheads: readonly Passage[]
  comments: readonly Passage[]
}

const beats = [
  ['bread', 'Food', 'Ovens, flour and the hours before dawn.', ['baking', 'grain', 'mornings', 'small shops']],
  ['market', 'Food', 'What is on the stalls, and what to do with it.', ['seasons', 'soup', 'small shops', 'suppers']],
  ['rail', 'Travel', 'Slow trains and the people who run them.', ['trains', 'timetables', 'windows', 'night']],
  ['walks', 'Travel', 'Footpaths, weather and second lunches.', ['footpaths', 'hills', 'weather', 'suppers']],
  ['sky', 'Science', 'What can be seen from the back garden.', ['stars', 'night', 'patience', 'weather']],
  ['soil', 'Science', 'The ground, and whoever lives in it.', ['gardens', 'seeds', 'rivers', 'seasons']],
  ['wood', 'Craft', 'Chairs, boats and sharp tools.', ['workshops', 'repair', 'trees', 'tools']],
  ['cloth', 'Craft', 'Wool, colour and mending.', ['workshops', 'repair', 'wool', 'colour']],
  ['streets', 'City', 'The room without a roof.', ['walking', 'mornings', 'benches', 'signs']],
  ['neighbours', 'City', 'How people live next to each other.', ['keys', 'libraries', 'singing', 'small shops']],
] as const

/** Reads all beats from their files. */
export function readBeats(): Beat[] {
  return beats.map(([slug, topic, description, tags]) => {
    const source = readFileSync(new URL(`./beats/${slug}.md`, import.meta.url), 'utf8')
    const section = createSections(source, slug)
    return {
      slug,
      topic,
      description,
      tags,
      name: source.slice(2, source.indexOf('\n')),
      titles: section('Titles'),
      standfirsts: section('Standfirsts'),
      openings: section('Openings'),
      how: section('How'),
      why: section('Why'),
      closings: section('Closings'),
      quotes: section('Quotes'),
      subheads: section('Subheads'),
      comments: section('Comments'),
    }
  })
}

/** Reads the comments that fit any article, and the answers to them. */
export function readLetters(): { letters: readonly Passage[]; replies: readonly Passage[] } {
  const section = createSections(readFileSync(new URL('./beats/letters.md', import.meta.url), 'utf8'), 'letters')
  return { letters: section('Letters'), replies: section('Replies') }
}

function createSections(source: string, file: string): (name: string) => Passage[] {
  const sections = new Map(
    source
      .split(/^## /m)
      .slice(1)
      .map(part => [part.slice(0, part.indexOf('\n')).trim(), part.slice(part.indexOf('\n'))]),
  )
  return name => {
    const text = sections.get(name)
    if (text === undefined) throw new Error(`beats/${file}.md has no section “${name}”`)
    return text
      .split(/\n\s*\n|^- /m)
      .map(passage => passage.replace(/\s+/g, ' ').trim())
      .filter(passage => passage !== '')
      .map(parsePassage)
  }
}

function parsePassage(source: string): Passage {
  const [, tags = '', text = ''] = /^(?:\[([^\]]+)\] )?(.*)$/.exec(source)!
  const marks = tags.split(',').filter(mark => mark !== '')
  const isNumber = (mark: string) => /^\d+$/.test(mark)
  return {
    text,
    openings: marks.filter(isNumber).map(Number),
    words: marks.filter(mark => !isNumber(mark)),
  }
}
