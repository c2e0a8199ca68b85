// The limit server's own tables: plain foreign keys, datetimes as the text that is answered, an index for each scenario.
import Database from 'better-sqlite3'
import type { Entries } from '../data/entries.ts'
import { fillTable } from '../data/table.ts'

const TABLES = `
  CREATE TABLE authors (id INTEGER PRIMARY KEY, name TEXT, email TEXT, bio TEXT, created_at TEXT, updated_at TEXT);
  CREATE TABLE categories (id INTEGER PRIMARY KEY, name TEXT, slug TEXT, created_at TEXT, updated_at TEXT);
  CREATE TABLE articles (id INTEGER PRIMARY KEY, title TEXT, slug TEXT, summary TEXT, body TEXT, kind TEXT, rating REAL,
    views INTEGER, featured INTEGER, published_on TEXT, extra TEXT, created_at TEXT, updated_at TEXT,
    author_id INTEGER REFERENCES authors(id), published_at TEXT);
  CREATE TABLE article_categories (article_id INTEGER NOT NULL REFERENCES articles(id), position INTEGER NOT NULL,
    category_id INTEGER NOT NULL REFERENCES categories(id), PRIMARY KEY (article_id, position)) WITHOUT ROWID;
  CREATE TABLE comments (id INTEGER PRIMARY KEY, text TEXT, stars INTEGER, created_at TEXT, updated_at TEXT,
    article_id INTEGER REFERENCES articles(id), author_id INTEGER REFERENCES authors(id));
  CREATE TABLE seos (id INTEGER PRIMARY KEY, meta_title TEXT, meta_description TEXT);
  CREATE TABLE quotes (id INTEGER PRIMARY KEY, quote TEXT, source TEXT);
  CREATE TABLE rich_texts (id INTEGER PRIMARY KEY, text TEXT);
  CREATE TABLE article_components (article_id INTEGER NOT NULL REFERENCES articles(id), field TEXT NOT NULL,
    position INTEGER NOT NULL, component TEXT NOT NULL, component_id INTEGER NOT NULL,
    PRIMARY KEY (article_id, field, position)) WITHOUT ROWID;
`

/** With drafts the index of the sort holds published articles only: that is what is read through it. */
const indexes = (drafts: boolean) => `
  CREATE UNIQUE INDEX articles_slug ON articles(slug);
  CREATE INDEX articles_author ON articles(author_id);
  CREATE INDEX articles_title ON articles(title)${drafts ? ' WHERE published_at IS NOT NULL' : ''};
  ${drafts ? 'CREATE INDEX articles_published ON articles(published_at);' : ''}
  CREATE INDEX authors_name ON authors(name);
  CREATE INDEX categories_of ON article_categories(category_id, article_id);
  CREATE INDEX comments_article ON comments(article_id);
  CREATE INDEX comments_author ON comments(author_id);
`

/** Makes the database file, filled and analyzed. */
export function createLimitDatabase(filename: string, entries: Entries, drafts: boolean): void {
  const database = new Database(filename)
  database.pragma('journal_mode = WAL')
  database.exec(TABLES)
  database.transaction(() => {
    for (const [table, rows] of Object.entries(rowsOf(entries))) fillTable(database, table, rows)
  })()
  database.exec(indexes(drafts))
  database.exec('ANALYZE')
  database.pragma('wal_checkpoint(TRUNCATE)')
  database.close()
}

const text = (milliseconds: number) => new Date(milliseconds).toISOString()

const timestamps = (createdAt: number) => ({ created_at: text(createdAt), updated_at: text(createdAt) })

function rowsOf({ authors, categories, articles, comments }: Entries) {
  return {
    authors: authors.map(({ createdAt, ...author }) => ({ ...author, ...timestamps(createdAt) })),
    categories: categories.map(({ createdAt, ...category }) => ({ ...category, ...timestamps(createdAt) })),
    articles: articles.map(article => ({
      id: article.id,
      title: article.title,
      slug: article.slug,
      summary: article.summary,
      body: article.body,
      kind: article.kind,
      rating: article.rating,
      views: article.views,
      featured: Number(article.featured),
      published_on: article.publishedOn,
      extra: JSON.stringify(article.extra),
      ...timestamps(article.createdAt),
      author_id: article.author,
      published_at: article.publishedAt === null ? null : text(article.publishedAt),
    })),
    article_categories: articles.flatMap(article =>
      article.categories.map((category, index) => ({
        article_id: article.id,
        position: index + 1,
        category_id: category,
      })),
    ),
    comments: comments.map(({ id, text, stars, article, author, createdAt }) => ({
      id,
      text,
      stars,
      ...timestamps(createdAt),
      article_id: article,
      author_id: author,
    })),
    seos: articles.map(({ id, seo }) => ({
      id,
      meta_title: seo.metaTitle,
      meta_description: seo.metaDescription,
    })),
    quotes: articles.map(({ id, quote }) => ({ id, ...quote })),
    rich_texts: articles.map(({ id, richText }) => ({ id, ...richText })),
    article_components: articles.flatMap(({ id }) => [
      { article_id: id, field: 'seo', position: 1, component: 'shared.seo', component_id: id },
      { article_id: id, field: 'blocks', position: 1, component: 'shared.quote', component_id: id },
      { article_id: id, field: 'blocks', position: 2, component: 'shared.rich-text', component_id: id },
    ]),
  }
}
