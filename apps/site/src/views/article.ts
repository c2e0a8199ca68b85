// An article with its zone: each component of the zone has a form of its own.

import type { TypedEntry } from '@plinth/client'
import { client, drafts } from '../client.ts'
import { h, markdown } from '../dom.ts'
import { card, cards, picture } from './cards.ts'

const whole = {
  populate: {
    author: { fields: ['name'] },
    cover: true,
    tags: { fields: ['name'] },
    sources: true,
    readNext: { ...card, limit: 3 },
    blocks: {
      on: {
        'shared.quote': true,
        'shared.callout': true,
        'shared.gallery': { populate: { images: true } },
        'magazine.recipe': { populate: { ingredients: true } },
        'magazine.itinerary': { populate: { stops: true } },
      },
    },
  },
} as const

type Block = TypedEntry<'api::article.article', 'flat', typeof whole>['blocks'][number]

export async function articleView(slug: string, parameters: URLSearchParams, signal: AbortSignal) {
  const locale = parameters.get('locale') ?? 'en'
  const { data } = await client('articles').find(
    { ...whole, ...drafts(), filters: { slug }, locale, pagination: { limit: 1 } },
    { signal },
  )
  const [article] = data
  if (article === undefined) return h('p', {}, 'There is no such article.')
  const { title, standfirst, body, author, cover, tags, blocks, sources, readNext, publishedAt } = article
  return h(
    'article',
    {},
    publishedAt === null && h('p', { className: 'draft' }, 'Draft'),
    h('h1', {}, title),
    h('p', { className: 'standfirst' }, standfirst),
    author && h('p', { className: 'by' }, author.name),
    picture(cover, '(max-width: 60rem) 100vw, 60rem'),
    markdown(body),
    blocks.map(blockOf),
    sources.length > 0 &&
      h(
        'ul',
        { className: 'sources' },
        sources.map(({ label, url }) => h('li', {}, h('a', { href: url }, label))),
      ),
    h(
      'p',
      { className: 'tags' },
      tags.map(({ name }) => h('span', {}, name)),
    ),
    readNext.length > 0 && [h('h2', {}, 'Read next'), cards(readNext, locale)],
  )
}

function blockOf(block: Block) {
  switch (block.__component) {
    case 'shared.quote':
      return h('blockquote', {}, h('p', {}, block.text), h('cite', {}, block.source))
    case 'shared.callout':
      return h('aside', { className: `callout ${block.tone}` }, h('h3', {}, block.heading), markdown(block.text))
    case 'shared.gallery':
      return h(
        'figure',
        { className: 'gallery' },
        block.images?.map(one => picture(one, '20rem')),
        h('figcaption', {}, block.caption),
      )
    case 'magazine.recipe':
      return h(
        'section',
        { className: 'recipe' },
        h('h2', {}, block.name),
        h(
          'ul',
          {},
          block.ingredients.map(({ name, amount, unit }) =>
            h('li', {}, [amount, unit, name].filter(one => one !== null).join(' ')),
          ),
        ),
        markdown(block.method),
      )
    case 'magazine.itinerary':
      return h(
        'section',
        { className: 'itinerary' },
        h('h2', {}, block.title),
        h(
          'ol',
          {},
          block.stops.map(({ place, at, note }) =>
            h('li', {}, [at?.slice(0, 5), place, note].filter(Boolean).join(', ')),
          ),
        ),
      )
  }
}
