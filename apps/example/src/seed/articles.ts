// Writes the articles: one for each beat and month, composed of the beat's passages in such a way that the end agrees
// with the beginning.

import { slugify } from '../slug.ts'
import type { Beat, Passage } from './beats.ts'
import { createNames, drawSlots, fill, monthName, type Slots } from './cast.ts'
import { callouts, guideParts, type Part } from './extras.ts'
import { createDeck, type Random } from './random.ts'

/** An article, and the entries that it refers to: by slug, or by index in the list of articles and issues. */
export interface ArticleEntry {
  data: {
    title: string
    slug: string
    kind: string
    standfirst: string
    body: string
    publishedOn: string | null
    publishedAt: string | null
    featured: boolean
    editorsNote: string | null
    seo: { metaTitle: string; metaDescription: string; social: { label: string; url: string; external: boolean }[] }
    sources: { label: string; url: string; external: boolean }[]
    blocks: Part[]
  }
  beat: string
  topic: string
  opening: number
  author: string
  tags: string[]
  issue: number | null
  readNext: number[]
}

/** When an article is published: in an issue, or, without one, not yet. */
export interface Appearance {
  issue: number | null
  month: string
  publishedOn: string | null
}

/** A writer that remembers which titles and names are in use. */
export function createArticleWriter(
  beats: readonly Beat[],
  authorsOf: (beat: string) => readonly string[],
  random: Random,
) {
  const name = createNames(random)
  const taken = new Set<string>()
  const desks = new Map(beats.map(beat => [beat.slug, createDesk(beat, random)]))
  let written = 0
  const places = new Map<string, number[]>()

  return (beat: Beat, appearance: Appearance): ArticleEntry => {
    const desk = desks.get(beat.slug)!
    const draft = compose(beat, desk, appearance, name, taken, random)
    const earlier = places.get(beat.slug) ?? []
    places.set(beat.slug, [...earlier, written++])
    const time = `${String(random.between(5, 9)).padStart(2, '0')}:${random.between(10, 59)}:00.000Z`
    return {
      data: {
        title: draft.title,
        slug: slugify(draft.title),
        kind: draft.kind,
        standfirst: draft.standfirst,
        body: draft.body,
        publishedOn: appearance.publishedOn,
        publishedAt: appearance.publishedOn === null ? null : `${appearance.publishedOn}T${time}`,
        featured: random.chance(0.15),
        editorsNote: random.chance(0.1) ? `Runs ${random.between(2, 9)} lines over. Cut from the middle.` : null,
        seo: {
          metaTitle: draft.title,
          metaDescription: draft.standfirst,
          social: [{ label: 'Send as a postcard', url: `/postcards/${slugify(draft.title)}`, external: false }],
        },
        sources: drawSources(draft.slots, random),
        blocks: drawParts(beat, draft.kind, desk.quotes(1)[0]!, draft.slots, random),
      },
      beat: beat.slug,
      topic: beat.topic,
      opening: draft.opening,
      author: random.pick(authorsOf(beat.slug)),
      tags: random.shuffled(beat.tags).slice(0, random.between(1, 3)),
      issue: appearance.issue,
      readNext: random.shuffled(earlier).slice(0, 3),
    }
  }
}

interface Desk {
  openings: (count: number) => number[]
  how: (count: number) => Passage[]
  why: (count: number) => Passage[]
  quotes: (count: number) => Passage[]
  /** The number of times each title has been used, so that the least used is taken first. */
  titles: Map<Passage, number>
}

function createDesk(beat: Beat, random: Random): Desk {
  return {
    openings: createDeck([...beat.openings.keys()], random),
    how: createDeck(beat.how, random),
    why: createDeck(beat.why, random),
    quotes: createDeck(beat.quotes, random),
    titles: new Map(),
  }
}

/** Returns whether a passage fits this opening and these words. */
export function fits(passage: Passage, opening: number, text: string): boolean {
  if (passage.openings.length === 0 && passage.words.length === 0) return true
  const lower = text.toLowerCase()
  return passage.openings.includes(opening + 1) || passage.words.some(word => lower.includes(word))
}

function compose(
  beat: Beat,
  desk: Desk,
  appearance: Appearance,
  name: () => string,
  taken: Set<string>,
  random: Random,
) {
  const opening = desk.openings(1)[0]!
  const how = desk.how(random.between(2, 4))
  const why = desk.why(random.between(2, 4))
  const raw = [beat.openings[opening]!, ...how, ...why].map(passage => passage.text).join('\n')
  const choose = (from: readonly Passage[]) => random.pick(from.filter(passage => fits(passage, opening, raw))).text
  const closing = choose(beat.closings)
  const subhead = choose(beat.subheads)
  const uses = (passage: Passage) => desk.titles.get(passage) ?? 0
  const titles = random
    .shuffled(beat.titles.filter(passage => fits(passage, opening, raw)))
    .sort((one, other) => uses(one) - uses(other))
  const person = name()

  // A title may equal one that was used before; then the same article is composed with another town.
  for (;;) {
    const slots = drawSlots(random, person, monthName(appearance.month))
    for (const passage of titles) {
      const [kind, pattern] = passage.text.split(' | ') as [string, string]
      const title = fill(pattern, slots)
      if (taken.has(title)) continue
      taken.add(title)
      desk.titles.set(passage, uses(passage) + 1)
      const standfirst = fill(choose(beat.standfirsts), slots)
      const parts = [beat.openings[opening]!.text, ...how.map(passage => passage.text), `## ${subhead}`]
      const body = [...parts, ...why.map(passage => passage.text), closing].map(text => fill(text, slots)).join('\n\n')
      return { kind, title, standfirst, body, opening, slots }
    }
  }
}

function drawParts(beat: Beat, kind: string, quote: Passage, slots: Slots, random: Random): Part[] {
  const parts: Part[] = []
  if (kind === 'guide') parts.push(...random.shuffled(guideParts[beat.slug] ?? []).slice(0, 1))
  if (random.chance(0.8)) parts.push({ __component: 'shared.quote', text: quote.text, source: slots.person })
  if (random.chance(0.4)) parts.push(random.pick(callouts[beat.topic]!))
  return parts
}

function drawSources(slots: Slots, random: Random) {
  const place = slugify(slots.place)
  const shelf = [
    { label: `The parish books of ${slots.place}`, url: `https://archive.example/${place}/books`, external: true },
    { label: `${slots.place}, a short history`, url: `https://library.example/${place}`, external: true },
    { label: 'Letters to the editor', url: '/letters', external: false },
  ]
  return random.shuffled(shelf).slice(0, random.between(0, 2))
}
