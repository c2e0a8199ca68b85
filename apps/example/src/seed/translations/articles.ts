// The translated articles: one Markdown file each, in `fr/` and `de/`, named by the slug of the original. A file
// contains the title, the standfirst as a quotation, and the body.

import { readdirSync, readFileSync } from 'node:fs'
import { slugify } from '../../slug.ts'
import type { ArticleEntry } from '../articles.ts'
import { type Locale, locales, type Translation } from '../translation.ts'

/** The texts of an article in each language. */
export type ArticleWords = Pick<
  ArticleEntry['data'],
  'title' | 'slug' | 'standfirst' | 'body' | 'publishedAt' | 'seo' | 'blocks'
>

const postcard = { fr: 'Envoyer en carte postale', de: 'Als Postkarte schicken' }

/** Translated, but not yet reviewed, so these are drafts. */
const drafts = ['fr/who-heard-the-meteor-over-thornwick', 'de/cato-pell-makes-one-chair-a-month']

/** All translations of articles, in the order of the articles. */
export function translateArticles(articles: readonly ArticleEntry[]): Translation<ArticleWords>[] {
  return locales.flatMap(locale => {
    const files = new Set(readdirSync(new URL(`./${locale}/`, import.meta.url)))
    const places = [...articles.keys()].filter(place => files.has(`${articles[place]!.data.slug}.md`))
    return places.map(of => ({ locale, of, data: readWords(locale, articles[of]!) }))
  })
}

function readWords(locale: Locale, { data }: ArticleEntry): ArticleWords {
  const name = `${locale}/${data.slug}`
  const source = readFileSync(new URL(`./${name}.md`, import.meta.url), 'utf8')
  const parts = /^# (.+)\n\n> (.+)\n\n([\s\S]+)\n$/.exec(source)
  if (parts === null) throw new Error(`translations/${name}.md is not a title, a standfirst and a body`)
  const [, title, standfirst, body] = parts as unknown as [string, string, string, string]
  const slug = slugify(title)
  return {
    title,
    slug,
    standfirst,
    body,
    publishedAt: drafts.includes(name) ? null : data.publishedAt,
    seo: {
      metaTitle: title,
      metaDescription: standfirst,
      social: [{ label: postcard[locale], url: `/postcards/${slug}`, external: false }],
    },
    // Quotations, recipes and other components exist in English only.
    blocks: [],
  }
}
