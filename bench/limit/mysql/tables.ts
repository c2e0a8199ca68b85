// The limit server's tables on MariaDB and MySQL.

import type { TableTexts } from '../rows.ts'

const timestamps = 'created_at datetime(3), updated_at datetime(3)'
const id = 'id int unsigned PRIMARY KEY AUTO_INCREMENT'

const key = (column: string, table: string) => `FOREIGN KEY (${column}) REFERENCES ${table}(id)`

/**
 * Foreign keys create indexes of their own. The index of the sort key contains the columns by which its pages are
 * found.
 */
export const mysqlTables = (drafts: boolean): TableTexts => ({
  tables: [
    `CREATE TABLE authors (${id}, name varchar(255), email varchar(255), bio text, ${timestamps})`,
    `CREATE TABLE categories (${id}, name varchar(255), slug varchar(255), ${timestamps})`,
    `CREATE TABLE files (${id}, name varchar(255), alternative_text varchar(255), caption varchar(255), width int,
      height int, formats json, hash varchar(255), ext varchar(20), mime varchar(255), size double, url varchar(255),
      preview_url varchar(255), provider varchar(255), ${timestamps})`,
    `CREATE TABLE articles (${id}, title varchar(255), slug varchar(255), summary text, body longtext, kind varchar(20),
      rating double, views int, featured boolean, published_on date, extra json, ${timestamps}, author_id int unsigned,
      cover_id int unsigned, published_at datetime(3), ${key('author_id', 'authors')}, ${key('cover_id', 'files')})`,
    `CREATE TABLE article_categories (article_id int unsigned, position int, category_id int unsigned NOT NULL,
      PRIMARY KEY (article_id, position), ${key('article_id', 'articles')}, ${key('category_id', 'categories')})`,
    `CREATE TABLE article_gallery (article_id int unsigned, position int, file_id int unsigned NOT NULL,
      PRIMARY KEY (article_id, position), ${key('article_id', 'articles')}, ${key('file_id', 'files')})`,
    `CREATE TABLE comments (${id}, text text, stars int, ${timestamps}, article_id int unsigned, author_id int unsigned,
      ${key('article_id', 'articles')}, ${key('author_id', 'authors')})`,
    `CREATE TABLE seos (${id}, meta_title varchar(255), meta_description text)`,
    `CREATE TABLE quotes (${id}, quote text, source varchar(255))`,
    `CREATE TABLE rich_texts (${id}, text longtext)`,
    `CREATE TABLE article_components (article_id int unsigned, field varchar(50), position int, component varchar(50),
      component_id int unsigned NOT NULL, PRIMARY KEY (article_id, field, position), ${key('article_id', 'articles')})`,
  ],
  indexes: [
    'CREATE UNIQUE INDEX articles_slug ON articles(slug)',
    `CREATE INDEX articles_title ON articles(title, id${drafts ? ', published_at' : ''})`,
    ...(drafts ? ['CREATE INDEX articles_published ON articles(published_at)'] : []),
    'CREATE INDEX authors_name ON authors(name)',
  ],
})
