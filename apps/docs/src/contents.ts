// Reads the table of contents, docs/README.md: which files are pages of the site, under which address, and in which order
// they are navigated.

import { readFileSync } from 'node:fs'
import { join, posix } from 'node:path'

/** The root of the repository. */
export const root = join(import.meta.dirname, '../../..')

/** A page of the site. */
export interface Page {
  /** The file, relative to the root of the repository. */
  readonly path: string
  /** The address within the site, such as `/packages/rest`. */
  readonly address: string
  readonly title: string
}

/** The pages below one heading. */
export interface Section {
  readonly title: string
  readonly pages: readonly Page[]
}

/** Returns the address of a file: docs/ is the root, and a README is its folder. */
export function addressOf(path: string): string {
  return `/${path
    .replace(/^docs\//, '')
    .replace(/\/README\.md$/, '')
    .replace(/\.md$/, '')}`
}

/** Reads the sections of a table of contents. A list item may link several pages; links below no heading are not pages. */
export function sectionsOf(text: string): Section[] {
  return text
    .split(/^## /m)
    .slice(1)
    .map(section => {
      const items = section.split('\n').filter(line => line.startsWith('- '))
      const links = items.flatMap(line => [...line.replace(/: .*/, '').matchAll(/\[([^\]]+)\]\(([^)#]+\.md)\)/g)])
      const pages = links.map(([, title, href]) => {
        const path = posix.join('docs', href!)
        return { path, address: addressOf(path), title: title! }
      })
      return { title: section.slice(0, section.indexOf('\n')), pages }
    })
    .filter(({ pages }) => pages.length > 0)
}

/** The sections of the site. */
export const readSections = (): Section[] => sectionsOf(readFileSync(join(root, 'docs/README.md'), 'utf8'))
