// The comments of readers: some are about one article, others fit any.

import { type ArticleEntry, fits } from './articles.ts'
import type { Beat, Passage } from './beats.ts'
import { createNames } from './cast.ts'
import { createDeck, type Random } from './random.ts'

/** A comment; the article and the parent comment are indexes into their lists. */
export interface CommentEntry {
  data: { name: string; email: string; text: string; postedAt: string; likes: number }
  article: number
  replyTo: number | null
}

/** No comment is later than the print date of the newest issue. */
const lastPost = Date.parse('2026-11-20T18:00:00.000Z')
const hour = 3_600_000

/** The comments on all published articles, answers after what they answer. */
export function makeComments(
  articles: readonly ArticleEntry[],
  beats: readonly Beat[],
  common: { letters: readonly Passage[]; replies: readonly Passage[] },
  random: Random,
): CommentEntry[] {
  const name = createNames(random)
  const letters = createDeck(common.letters, random)
  const replies = createDeck(common.replies, random)
  const comments: CommentEntry[] = []

  const post = (article: number, text: string, after: number, replyTo: number | null) => {
    const writer = name()
    const postedAt = new Date(
      Math.min(after + random.between(2, 24 * 9) * hour + random.between(0, 3_599) * 1000, lastPost),
    )
    const email = `${writer.toLowerCase().replace(' ', '.')}@post.example`
    const data = { name: writer, email, text, postedAt: postedAt.toISOString(), likes: random.between(0, 24) }
    comments.push({ data, article, replyTo })
    return postedAt.getTime()
  }

  for (const [index, article] of articles.entries()) {
    if (article.data.publishedAt === null) continue
    const beat = beats.find(candidate => candidate.slug === article.beat)!
    const fitting = beat.comments.filter(passage => fits(passage, article.opening, article.data.body))
    const own = random.shuffled(fitting).slice(0, random.between(0, 2))
    for (const passage of [...own, ...letters(random.between(0, 2))]) {
      const posted = post(index, passage.text, Date.parse(article.data.publishedAt), null)
      if (random.chance(0.25)) post(index, replies(1)[0]!.text, posted, comments.length - 1)
    }
  }
  return comments
}
