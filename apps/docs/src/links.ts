// Leads the links of the documents to where they belong on the site: to its pages, or to the repository for all other
// files. What a link leads to must exist, headings included. Links are written as they work in the repository.

import { existsSync, readFileSync, statSync } from 'node:fs'
import { join, posix } from 'node:path'
import { addressOf, root } from './contents.ts'

/** The address of files that are not pages. */
const repository = 'https://github.com/plinth/plinth'

/** A text in the form of an anchor, as GitHub makes it: the same links work here and there. */
export function slugOf(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-')
}

/** Returns the anchors of a document: those of its headings, repeated ones with a number. */
export function anchorsOf(text: string): ReadonlySet<string> {
  const counts = new Map<string, number>()
  const anchors = new Set<string>()
  for (const [, heading] of text.replaceAll(/^(`{3,})[\s\S]*?^\1$/gm, '').matchAll(/^#{1,6} (.+)$/gm)) {
    const slug = slugOf(heading!.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1'))
    const count = counts.get(slug) ?? 0
    anchors.add(count === 0 ? slug : `${slug}-${count}`)
    counts.set(slug, count + 1)
  }
  return anchors
}

/** Resolves the links of documents. */
export class LinkResolver {
  /** Links without a target, as `file: link`. */
  readonly dead: string[] = []
  readonly #pages: ReadonlySet<string>
  readonly #anchors = new Map<string, ReadonlySet<string>>()

  /** `pages` are the paths of the pages, relative to the root of the repository. */
  constructor(pages: Iterable<string>) {
    this.#pages = new Set(pages)
  }

  isPage(path: string): boolean {
    return this.#pages.has(path)
  }

  /** Returns where a link of the document `from` leads on the site; links to other servers stay as they are. */
  resolve(href: string, from: string): string {
    if (/^[a-z][a-z+.-]*:|^\/\//i.test(href)) return href
    const [path = '', anchor] = href.split('#')
    const target = path === '' ? from : posix.join(posix.dirname(from), decodeURI(path)).replace(/\/$/, '')
    const readme = posix.join(target, 'README.md')
    const file = this.#pages.has(readme) ? readme : target
    if (!existsSync(join(root, file))) return this.#refuse(href, from)
    if (anchor !== undefined && !this.#hasAnchor(file, anchor)) return this.#refuse(href, from)
    const end = anchor === undefined ? '' : `#${anchor}`
    if (this.#pages.has(file)) return `${addressOf(file)}${end}`
    const kind = statSync(join(root, file)).isDirectory() ? 'tree' : 'blob'
    return `${repository}/${kind}/main/${file}${end}`
  }

  #hasAnchor(file: string, anchor: string): boolean {
    const path = file.endsWith('.md') ? file : posix.join(file, 'README.md')
    if (!existsSync(join(root, path))) return false
    const anchors = this.#anchors.get(path) ?? anchorsOf(readFileSync(join(root, path), 'utf8'))
    this.#anchors.set(path, anchors)
    return anchors.has(decodeURIComponent(anchor))
  }

  #refuse(href: string, from: string): string {
    this.dead.push(`${from}: ${href}`)
    return href
  }
}
