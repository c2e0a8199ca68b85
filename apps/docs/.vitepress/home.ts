// What the home page of the site shows: the form that VitePress has for it.

import type { Page } from '../src/contents.ts'

/** The home page, whose links lead to the pages. */
export function homeOf(pages: ReadonlyMap<string, Page>) {
  const linkTo = (path: string) => {
    const page = pages.get(path)
    if (page === undefined) throw new Error(`docs/README.md lacks ${path}`)
    return page.address
  }
  return {
    layout: 'home',
    hero: {
      name: 'Plinth',
      text: 'Content by REST and GraphQL, in the dialect of Strapi v4',
      tagline:
        'For v4 projects, whose schemas, databases and front ends go on unchanged, and for content APIs in code.',
      actions: [
        { theme: 'brand', text: 'Start in five minutes', link: linkTo('docs/start.md') },
        { theme: 'alt', text: 'Why, and why not', link: linkTo('docs/why.md') },
        { theme: 'alt', text: 'Moving from v4', link: linkTo('docs/v4.md') },
      ],
    },
    features: [
      {
        title: 'Types are files',
        details: 'A content type is a JSON file in version control, and so are roles and rules.',
        link: linkTo('docs/content-types.md'),
      },
      {
        title: 'Two APIs, one answer',
        details: 'REST and GraphQL ask the same prepared queries, and are bound by the same rights.',
        link: linkTo('packages/rest/README.md'),
      },
      {
        title: 'Rules for rows and attributes',
        details: 'A rule hides an entry everywhere, in lists, totals, populates and filters.',
        link: linkTo('docs/rights.md'),
      },
      {
        title: 'Typed front ends',
        details: 'The client answers what was asked for, and a misspelt name does not compile.',
        link: linkTo('docs/front-ends.md'),
      },
      {
        title: 'Plugins of Fastify',
        details: 'Drafts, locales, users and media are plugins on public hooks, as yours are.',
        link: linkTo('docs/plugins.md'),
      },
      {
        title: 'Checked in tests',
        details: 'Answers are compared with recordings of v4, and the examples here are run.',
        link: `${linkTo('docs/why.md')}#how-claims-are-checked`,
      },
    ],
  }
}
