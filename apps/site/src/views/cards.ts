// Articles in lists, and what a list reads of them.

import type { TypedEntry } from '@plinth/client'
import { client } from '../client.ts'
import { h } from '../dom.ts'

/** The query of an article in a list. */
export const card = {
  fields: ['title', 'slug', 'standfirst', 'publishedOn', 'publishedAt'],
  populate: { author: { fields: ['name'] }, cover: true },
} as const

type Card = TypedEntry<'api::article.article', 'flat', typeof card>

/** A picture of the media library in the sizes that it has. */
export function picture(
  media: { alternativeText: string | null; width: number | null; height: number | null } | null,
  sizes: string,
) {
  if (media === null) return null
  const { alternativeText, width, height } = media
  const size = width === null || height === null ? {} : { width, height }
  return h('img', {
    ...size,
    sizes,
    srcset: client.srcset(media),
    src: client.src(media),
    alt: alternativeText ?? '',
    loading: 'lazy',
  })
}

export function cards(articles: readonly Card[], locale: string) {
  return h(
    'ul',
    { className: 'cards' },
    articles.map(({ title, slug, standfirst, author, cover, publishedAt }) =>
      h(
        'li',
        {},
        h(
          'a',
          { href: `#/articles/${slug}?locale=${locale}` },
          picture(cover, '(max-width: 40rem) 100vw, 20rem'),
          h('h2', {}, title, publishedAt === null && h('span', { className: 'draft' }, 'Draft')),
        ),
        h('p', {}, standfirst),
        author && h('p', { className: 'by' }, author.name),
      ),
    ),
  )
}
