// The list of articles, page by page, and what a search finds.

import { client, drafts } from '../client.ts'
import { h } from '../dom.ts'
import { card, cards } from './cards.ts'

const pageSize = 12

export async function listView(parameters: URLSearchParams, signal: AbortSignal) {
  const page = Number(parameters.get('page') ?? 1)
  const locale = parameters.get('locale') ?? 'en'
  const text = parameters.get('q') ?? ''
  const { data, meta } = await client('articles').find(
    {
      ...card,
      ...drafts(),
      ...(text !== '' && { _q: text }),
      sort: ['publishedOn:desc', 'id:desc'],
      locale,
      pagination: { page, pageSize },
    },
    { signal },
  )
  const { pageCount, total } = meta.pagination
  const link = (to: number, words: string) => {
    const target = new URLSearchParams(parameters)
    target.set('page', String(to))
    return h('a', { href: `#/?${target}` }, words)
  }
  return [
    h('p', { className: 'count' }, text === '' ? `${total} articles` : `${total} articles with “${text}”`),
    cards(data, locale),
    h('nav', { className: 'pages' }, page > 1 && link(page - 1, 'Newer'), page < pageCount && link(page + 1, 'Older')),
  ]
}
