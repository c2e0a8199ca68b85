// Writes rows as JSON text without objects: equal to the result of `JSON.stringify`, with code for each table.

/** Only these characters need escapes; testing for them is cheaper than escaping every text. */
const UNSAFE = /["\\\u0000-\u001f\ud800-\udfff]/

export function quoted(text: string | null): string {
  if (text === null) return 'null'
  return UNSAFE.test(text) ? JSON.stringify(text) : `"${text}"`
}

interface Timestamps {
  readonly created_at: string
  readonly updated_at: string
}

export interface ArticleRow extends Timestamps {
  readonly id: number
  readonly title: string
  readonly slug: string | null
  readonly summary: string | null
  readonly body: string | null
  readonly kind: string | null
  readonly rating: number | null
  readonly views: number | null
  readonly featured: 0 | 1 | boolean | null
  readonly published_on: string | null
  readonly extra: string | null
  readonly author_id: number | null
  readonly published_at: string | null
}

export interface AuthorRow extends Timestamps {
  readonly id: number
  readonly name: string
  readonly email: string
  readonly bio: string
}

export interface CategoryRow extends Timestamps {
  readonly article_id: number
  readonly id: number
  readonly name: string
  readonly slug: string
}

/** What an article with a cover has besides. */
export interface CoveredRow extends ArticleRow {
  readonly cover_id: number | null
}

export interface FileRow extends Timestamps {
  readonly id: number
  readonly name: string
  readonly alternative_text: string | null
  readonly caption: string | null
  readonly width: number | null
  readonly height: number | null
  /** JSON. */
  readonly formats: string | null
  readonly hash: string
  readonly ext: string | null
  readonly mime: string
  readonly size: number
  readonly url: string
  readonly preview_url: string | null
  readonly provider: string
}

export interface GalleryRow {
  readonly article_id: number
  readonly file_id: number
}

export interface CommentRow extends Timestamps {
  readonly article_id: number
  readonly author_id: number
  readonly id: number
  readonly text: string
  readonly stars: number
}

export interface SeoRow {
  readonly article_id: number
  readonly id: number
  readonly meta_title: string
  readonly meta_description: string
}

export interface BlockRow {
  readonly article_id: number
  readonly position: number
  readonly id: number
}

export interface QuoteRow extends BlockRow {
  readonly quote: string
  readonly source: string
}

export interface RichTextRow extends BlockRow {
  readonly text: string
}

const booleanText = (value: 0 | 1 | boolean | null) => (value === null ? 'null' : value ? 'true' : 'false')

/** Of `2024-01-31 12:34:56.789`, or of the text of the response; PostgreSQL omits zeros at the end. */
const datetimeText = (text: string | null) => (text === null ? 'null' : `"${isoText(text)}"`)

/** The text of the response from the text of a column. */
export function isoText(text: string): string {
  if (text.length === 24) return text
  return `${text.slice(0, 10)}T${text.length === 23 ? text.slice(11) : padded(text)}Z`
}

const padded = (text: string) => (text.length === 19 ? `${text.slice(11)}.000` : text.slice(11).padEnd(12, '0'))

const timestampsText = (row: Timestamps) =>
  `"createdAt":${datetimeText(row.created_at)},"updatedAt":${datetimeText(row.updated_at)}`

const entryText = (id: number, attributes: string) => `{"id":${id},"attributes":{${attributes}}}`

/** The attributes of an article, followed by the populated ones, which are text already. */
export const articleText = (row: ArticleRow, drafts: boolean, populated = '') =>
  entryText(row.id, articleMembers(row, drafts) + populated)

export const articleMembers = (row: ArticleRow, drafts: boolean) =>
  `"title":${quoted(row.title)},"slug":${quoted(row.slug)},"summary":${quoted(row.summary)},"body":${quoted(row.body)}` +
  `,"kind":${quoted(row.kind)},"rating":${row.rating},"views":${row.views},"featured":${booleanText(row.featured)}` +
  `,"publishedOn":${quoted(row.published_on)},"extra":${row.extra},${timestampsText(row)}` +
  (drafts ? `,"publishedAt":${datetimeText(row.published_at)}` : '')

export const headlineText = (row: Pick<ArticleRow, 'id' | 'title' | 'slug'>) =>
  entryText(row.id, `"title":${quoted(row.title)},"slug":${quoted(row.slug)}`)

export const authorText = (row: AuthorRow) => entryText(row.id, authorMembers(row))

export const authorMembers = (row: AuthorRow) =>
  `"name":${quoted(row.name)},"email":${quoted(row.email)},"bio":${quoted(row.bio)},${timestampsText(row)}`

export const categoryText = (row: CategoryRow) => entryText(row.id, categoryMembers(row))

export const categoryMembers = (row: CategoryRow) =>
  `"name":${quoted(row.name)},"slug":${quoted(row.slug)},${timestampsText(row)}`

export const FILE_COLUMNS =
  'id, name, alternative_text, caption, width, height, formats, hash, ext, mime, size, url, preview_url, provider, ' +
  'created_at, updated_at'

export const fileText = (row: FileRow) =>
  entryText(
    row.id,
    `"name":${quoted(row.name)},"alternativeText":${quoted(row.alternative_text)},"caption":${quoted(row.caption)}` +
      `,"width":${row.width},"height":${row.height},"formats":${row.formats},"hash":${quoted(row.hash)}` +
      `,"ext":${quoted(row.ext)},"mime":${quoted(row.mime)},"size":${row.size},"url":${quoted(row.url)}` +
      `,"previewUrl":${quoted(row.preview_url)},"provider":${quoted(row.provider)},"provider_metadata":null` +
      `,${timestampsText(row)}`,
  )

/** The covers and galleries of a page, once the files are known: a file may have several places. */
export function mediaTexts(files: readonly FileRow[], galleries: readonly GalleryRow[]): (row: CoveredRow) => string {
  const texts = new Map<number | null, string>()
  for (const row of files) texts.set(row.id, fileText(row))
  const lists = new Map<number, string>()
  for (const { article_id, file_id } of galleries) {
    const before = lists.get(article_id)
    lists.set(article_id, before === undefined ? texts.get(file_id)! : `${before},${texts.get(file_id)!}`)
  }
  return row => `,"cover":{"data":${texts.get(row.cover_id) ?? 'null'}},"gallery":{"data":[${lists.get(row.id) ?? ''}]}`
}

/** The ids of the files of a page, each once. */
export function fileIds(rows: readonly CoveredRow[], galleries: readonly GalleryRow[]): number[] {
  const ids = new Set<number>()
  for (const { cover_id } of rows) if (cover_id !== null) ids.add(cover_id)
  for (const { file_id } of galleries) ids.add(file_id)
  return [...ids]
}

export const commentText = (row: CommentRow, author: string) =>
  entryText(
    row.id,
    `"text":${quoted(row.text)},"stars":${row.stars},${timestampsText(row)},"author":{"data":${author}}`,
  )

export const seoText = (row: SeoRow) =>
  `{"id":${row.id},"metaTitle":${quoted(row.meta_title)},"metaDescription":${quoted(row.meta_description)}}`

export const quoteText = (row: QuoteRow) =>
  `{"id":${row.id},"__component":"shared.quote","quote":${quoted(row.quote)},"source":${quoted(row.source)}}`

export const richTextText = (row: RichTextRow) =>
  `{"id":${row.id},"__component":"shared.rich-text","text":${quoted(row.text)}}`
