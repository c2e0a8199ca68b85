// Entries that refer to entries of any type: dossiers collect them, corrections correct them.

import type { ArticleEntry } from './articles.ts'

/** A reference to an entry of any type, by slug or index. */
export interface Reference {
  type: 'article' | 'author' | 'issue'
  /** The index of the entry in the list of its type. */
  place: number
}

/** A dossier and its entries, in order. */
export interface DossierEntry {
  data: { title: string; slug: string; introduction: string }
  items: Reference[]
}

/** A correction and the entry that it corrects. */
export interface CorrectionEntry {
  data: { text: string; madeOn: string }
  subject: Reference
}

const dossiers = [
  {
    slug: 'the-night-shift',
    title: 'The night shift',
    introduction: 'Those who are up while the rest of us sleep, and what they see from there.',
    words: ['ten to four', 'half past four', 'give it twenty minutes', 'eleven at night'],
    author: 11,
    issue: 10,
  },
  {
    slug: 'mended',
    title: 'Mended',
    introduction: 'Socks, chairs, rivers and stiles. None of these things is new, and all are better for it.',
    words: ['darn a sock', 'repair is slower', 'looking for its bends', 'a stile is mended'],
    author: 4,
    issue: 20,
  },
  {
    slug: 'at-one-table',
    title: 'At one table',
    introduction: 'Why it matters who sits next to whom.',
    words: ['table of eleven', 'party on the street', 'eating together is older', 'fetches less than the shearing'],
    author: 1,
    issue: 7,
  },
  {
    slug: 'slow-ways',
    title: 'Slow ways',
    introduction: 'Getting there is no part of any of these pieces, and yet one does.',
    words: ['back to the engine', 'still tell a story', 'top deck at the front', 'follow the sheep'],
    author: 2,
    issue: 16,
  },
  {
    slug: 'small-instruments',
    title: 'Small instruments',
    introduction: 'A needle, a whisk of broom, a red lamp: what can be done with very little.',
    words: ['painted the glass', 'flatten the back', 'sweep well', 'bevel set'],
    author: 3,
    issue: 13,
  },
]

const corrections = [
  [
    'the flour is the least of it',
    'We wrote that the price had risen by a third in five years. It had been four when we went to press.',
    '2025-03-09',
  ],
  [
    'bulging and clear',
    'The eyes of a skate are not round and never were. Our rule does not apply to skates.',
    '2025-05-14',
  ],
  [
    'shovelful of sand',
    'The sand was let down through a pipe and not thrown with a shovel, as several drivers have told us.',
    '2025-06-02',
  ],
  [
    'moons of jupiter',
    'Four moons of Jupiter can be seen in binoculars. It has many more, and we did not mean to slight them.',
    '2025-08-21',
  ],
  [
    'six railway sleepers',
    'There were seven sleepers. One had been paid for by the dentist, who would like it to be known.',
    '2025-10-11',
  ],
  ['nine potato salads', 'Mrs Aalto’s potato salad was counted twice.', '2026-02-17'],
  [
    'a long one is the telephone',
    'The long lids on the east side belong to the tramway, which was closed in 1951 and has left them behind.',
    '2026-04-05',
  ],
] as const

/** The dossiers: the newest article for each word of a dossier, then an author, then an issue. */
export function makeDossiers(articles: readonly ArticleEntry[]): DossierEntry[] {
  return dossiers.map(({ words, author, issue, ...data }) => {
    const places = words.map(word => findLast(articles, word)).filter(place => place !== -1)
    return {
      data,
      items: [
        ...[...new Set(places)].map((place): Reference => ({ type: 'article', place })),
        { type: 'author', place: author },
        { type: 'issue', place: issue },
      ],
    }
  })
}

/** The corrections: one for the oldest article to which each text applies, and one for a whole issue. */
export function makeCorrections(articles: readonly ArticleEntry[]): CorrectionEntry[] {
  const ofArticles = corrections.flatMap(([word, text, madeOn]): CorrectionEntry[] => {
    const place = articles.findIndex(article => article.data.publishedAt !== null && says(article, word))
    return place === -1 ? [] : [{ data: { text, madeOn }, subject: { type: 'article', place } }]
  })
  const text = 'The pages of this issue were numbered from two. There was no page missing.'
  return [...ofArticles, { data: { text, madeOn: '2025-09-04' }, subject: { type: 'issue', place: 6 } }]
}

const says = (article: ArticleEntry, word: string) => article.data.body.toLowerCase().includes(word)

function findLast(articles: readonly ArticleEntry[], word: string): number {
  return articles.findLastIndex(article => article.data.publishedAt !== null && says(article, word))
}
