// The site of the documents: VitePress reads them where they are, in docs/ and in the READMEs of the packages. Nothing is
// loaded from other servers.

import { globSync } from 'node:fs'
import { join, relative } from 'node:path'
import { type DefaultTheme, defineConfig, type UserConfig } from 'vitepress'
import { readSections, root } from '../src/contents.ts'
import { LinkResolver, slugOf } from '../src/links.ts'
import { homeOf } from './home.ts'

const home = 'apps/docs/index.md'
const sections = readSections()
const pages = new Map(sections.flatMap(section => section.pages).map(page => [page.path, page]))
const links = new LinkResolver(pages.keys())

/** All other documents of the repository. */
const others = globSync('**/*.md', { cwd: root, exclude: name => name.startsWith('.') || name === 'node_modules' })
  .map(path => path.replaceAll('\\', '/'))
  .filter(path => path !== home && !pages.has(path))

const addresses = [...pages.values()].map(({ path, address }) => [path, `${address.slice(1)}.md`])

const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path fill="#3451b2" d="M2 11h12v3H2zM4 2h8v7H4z"/></svg>'

const target = 'es2022'

/** The pages at the top of the site. */
const top = ['docs/start.md', 'docs/why.md', 'docs/v4.md', 'docs/front-ends.md', 'docs/plugins.md']

/** Renders a page for the index of the search, which needs no colours. */
const renderForSearch: NonNullable<DefaultTheme.LocalSearchOptions['_render']> = (text, env, md) => {
  const { highlight } = md.options
  md.options.highlight = null
  try {
    const html = md.render(text, env)
    return env.frontmatter?.search === false ? '' : html
  } finally {
    md.options.highlight = highlight
  }
}

/** Pages become modules that import Vue, which those outside of this package do not find by themselves. */
const resolveVue = {
  name: 'resolve-vue',
  enforce: 'pre',
  resolveId(id: string, importer: string | undefined) {
    return /^vue(?:$|\/)/.test(id) && importer?.endsWith('.md') ? this.resolve(id, import.meta.filename) : null
  },
} satisfies NonNullable<NonNullable<UserConfig['vite']>['plugins']>[number]

export default defineConfig({
  title: 'Plinth',
  description: 'Content by REST and GraphQL, in the dialect of Strapi v4',
  head: [['link', { rel: 'icon', href: `data:image/svg+xml,${encodeURIComponent(icon)}` }]],
  srcDir: '../..',
  // Pages are searched for in folders whose names begin with a dot as well. Running tests have copies of applications
  // there, with links to all packages.
  srcExclude: [...others, '**/.*/**'],
  rewrites: { [home]: 'index.md', ...Object.fromEntries(addresses) },
  cleanUrls: true,
  // Examples name the server on the reader's machine. All other links are checked below, with their anchors.
  ignoreDeadLinks: 'localhostLinks',
  buildConcurrency: 4,
  markdown: {
    theme: { light: 'github-light', dark: 'github-dark' },
    anchor: { slugify: slugOf },
    config(md) {
      md.core.ruler.push('repository-links', state => {
        const from = relative(root, state.env.realPath ?? state.env.path).replaceAll('\\', '/')
        for (const block of state.tokens)
          for (const token of block.children ?? []) {
            // Headings have links to themselves.
            const isLink = token.type === 'link_open' && token.attrGet('class') !== 'header-anchor'
            const href = isLink ? token.attrGet('href') : null
            if (href !== null) token.attrSet('href', links.resolve(href, from))
          }
      })
    },
  },
  themeConfig: {
    search: { provider: 'local', options: { _render: renderForSearch } },
    outline: [2, 3],
    nav: [...pages.values()]
      .filter(({ path }) => top.includes(path))
      .map(({ title, address }) => ({ text: title, link: address })),
    sidebar: sections.map((section, i) => ({
      text: section.title,
      collapsed: i > 2,
      items: section.pages.map(({ title, address }) => ({ text: title, link: address })),
    })),
    externalLinkIcon: true,
  },
  transformPageData: ({ relativePath }) => (relativePath === 'index.md' ? { frontmatter: homeOf(pages) } : undefined),
  buildEnd() {
    if (links.dead.length > 0) throw new Error(`Links lead nowhere:\n${[...new Set(links.dead)].sort().join('\n')}`)
  },
  vite: {
    cacheDir: join(import.meta.dirname, '../.data/vite'),
    plugins: [resolveVue],
    // The older targets of Vite 5 are refused by the esbuild that the workspace has.
    build: { target },
    optimizeDeps: { esbuildOptions: { target } },
  },
  cacheDir: join(import.meta.dirname, '../.data/cache'),
  outDir: join(import.meta.dirname, '../dist'),
})
