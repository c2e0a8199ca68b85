// The limit server's tables on SQLite; datetimes are stored as the text of the response.

import type { TableTexts } from '../rows.ts'

/** With drafts, the index of the sort key contains only published articles, because only these are read by it. */
export const sqliteTables = (drafts: boolean): TableTexts => ({
  tables: [
    'CREATE TABLE authors (id INTEGER PRIMARY KEY, name TEXT, email TEXT, bio TEXT, created_at TEXT, updated_at TEXT)',
    'CREATE TABLE categories (id INTEGER PRIMARY KEY, name TEXT, slug TEXT, created_at TEXT, updated_at TEXT)',
    `CREATE TABLE files (id INTEGER PRIMARY KEY, name TEXT, alternative_text TEXT, caption TEXT, width INTEGER,
      height INTEGER, formats TEXT, hash TEXT, ext TEXT, mime TEXT, size REAL, url TEXT, preview_url TEXT, provider TEXT,
      created_at TEXT, updated_at TEXT)`,
    `CREATE TABLE articles (id INTEGER PRIMARY KEY, title TEXT, slug TEXT, summary TEXT, body TEXT, kind TEXT, rating REAL,
      views INTEGER, featured INTEGER, published_on TEXT, extra TEXT, created_at TEXT, updated_at TEXT,
      author_id INTEGER REFERENCES authors(id), cover_id INTEGER REFERENCES files(id), published_at TEXT)`,
    `CREATE TABLE article_categories (article_id INTEGER NOT NULL REFERENCES articles(id), position INTEGER NOT NULL,
      category_id INTEGER NOT NULL REFERENCES categories(id), PRIMARY KEY (article_id, position)) WITHOUT ROWID`,
    `CREATE TABLE article_gallery (article_id INTEGER NOT NULL REFERENCES articles(id), position INTEGER NOT NULL,
      file_id INTEGER NOT NULL REFERENCES files(id), PRIMARY KEY (article_id, position)) WITHOUT ROWID`,
    `CREATE TABLE comments (id INTEGER PRIMARY KEY, text TEXT, stars INTEGER, created_at TEXT, updated_at TEXT,
      article_id INTEGER REFERENCES articles(id), author_id INTEGER REFERENCES authors(id))`,
    'CREATE TABLE seos (id INTEGER PRIMARY KEY, meta_title TEXT, meta_description TEXT)',
    'CREATE TABLE quotes (id INTEGER PRIMARY KEY, quote TEXT, source TEXT)',
    'CREATE TABLE rich_texts (id INTEGER PRIMARY KEY, text TEXT)',
    `CREATE TABLE article_components (article_id INTEGER NOT NULL REFERENCES articles(id), field TEXT NOT NULL,
      position INTEGER NOT NULL, component TEXT NOT NULL, component_id INTEGER NOT NULL,
      PRIMARY KEY (article_id, field, position)) WITHOUT ROWID`,
  ],
  indexes: [
    'CREATE UNIQUE INDEX articles_slug ON articles(slug)',
    'CREATE INDEX articles_author ON articles(author_id)',
    `CREATE INDEX articles_title ON articles(title)${drafts ? ' WHERE published_at IS NOT NULL' : ''}`,
    ...(drafts ? ['CREATE INDEX articles_published ON articles(published_at)'] : []),
    'CREATE INDEX authors_name ON authors(name)',
    'CREATE INDEX categories_of ON article_categories(category_id, article_id)',
    'CREATE INDEX comments_article ON comments(article_id)',
    'CREATE INDEX comments_author ON comments(author_id)',
  ],
})
