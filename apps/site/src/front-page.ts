// The list of the newest articles as HTML, for the page that is built: readers and search engines have it before a script
// has run. Runs where the site is built, so it knows neither a document nor a user.

import { ClientError, createClient } from '@plinth/client'

/** The number of articles, which is that of a page of the list. */
const count = 12

/**
 * Returns the newest published articles of the server at `url`; null if no server answers there, so that the site can be built
 * without one. Throws ClientError for what the server refuses.
 */
export async function newestArticles(url: string): Promise<string | null> {
  const client = createClient({ url, flat: true })
  const newest = {
    fields: ['title', 'slug', 'standfirst'],
    sort: ['publishedOn:desc', 'id:desc'],
    pagination: { pageSize: count },
  } as const
  try {
    const { data } = await client('articles').find(newest)
    const items = data.map(
      ({ title, slug, standfirst }) =>
        `<li><a href="#/articles/${encodeURIComponent(String(slug))}"><h2>${escaped(title)}</h2></a><p>${escaped(standfirst)}</p></li>`,
    )
    return `<ul class="cards">${items.join('')}</ul>`
  } catch (error) {
    if (error instanceof ClientError && error.code === 'NetworkError') return null
    throw error
  }
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

const escaped = (text: unknown) => String(text ?? '').replaceAll(/[&<>"]/g, sign => entities[sign]!)
