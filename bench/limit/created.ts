// The data of a new article as a row.

import type { Created } from './requests.ts'
import type { ArticleRow } from './text.ts'

/** A create also publishes; without drafts `published_at` is never read. */
export const createdRow = (data: Created, now: string): Omit<ArticleRow, 'id'> => ({
  title: data.title,
  slug: data.slug ?? null,
  summary: data.summary ?? null,
  body: data.body ?? null,
  kind: data.kind ?? null,
  rating: data.rating ?? null,
  views: data.views ?? null,
  featured: data.featured ?? null,
  published_on: data.publishedOn ?? null,
  extra: data.extra === undefined ? null : JSON.stringify(data.extra),
  created_at: now,
  updated_at: now,
  author_id: data.author ?? null,
  published_at: now,
})
