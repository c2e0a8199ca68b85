// The pages that consist of sections, and the homepage.

import type { ArticleEntry } from './articles.ts'
import { type Block, heading, list, paragraph, paragraphWithLink } from './blocks.ts'
import type { Part } from './extras.ts'
import type { IssueEntry } from './issues.ts'

/** A page. Its article lists contain indexes into the list of articles. */
export interface PageEntry {
  title: string
  slug: string
  publishedAt: string | null
  sections: Part[]
  seo: { metaTitle: string; metaDescription: string } | null
}

/** The homepage. Articles are indexes into the list of articles. */
export interface HomepageEntry {
  greeting: string
  introduction: string
  contact: string
  hero: { heading: string; text: string; article: number; link: { label: string; url: string } }
  rows: { heading: string; articles: number[]; more: { label: string; url: string } }[]
  editorsChoice: number[]
}

/** A section of rich text. */
export const text = (title: string, body: Block[]): Part => ({ __component: 'sections.text', heading: title, body })
const articleList = (title: string, articles: number[], label: string, url: string): Part => ({
  __component: 'sections.article-list',
  heading: title,
  articles,
  more: { label, url },
})

/** All pages; the last of them is still a draft. */
export function makePages(articles: readonly ArticleEntry[]): PageEntry[] {
  return [
    {
      title: 'About us',
      slug: 'about-us',
      publishedAt: '2025-02-01T08:00:00.000Z',
      sections: [
        text('A magazine for those who are not in a hurry', [
          paragraph(
            'Tidewater has appeared on the first of each month since it was thought of, and once on the third.',
          ),
          heading(3, 'What we write about'),
          list(['food', 'travel, though not far', 'science', 'craft', 'the city']),
          paragraphWithLink(
            'If something in it is wrong, please write',
            'to the editor',
            'mailto:editor@tidewater.example',
          ),
        ]),
        {
          __component: 'shared.quote',
          text: 'We never print what we would not read aloud.',
          source: 'Wilhelmina Stroud',
        },
        articleList('Where to begin', newest(articles, 'Food', 2), 'All of our food writing', '/categories/food'),
        {
          __component: 'sections.contact',
          heading: 'Come and see us',
          email: 'door@tidewater.example',
          openingHours: { weekdays: ['09:00', '17:30'], saturday: ['10:00', '12:00'], sunday: null },
          links: [
            { label: 'How to find the door', url: '/pages/how-to-find-us', external: false },
            { label: 'A map', url: 'https://maps.example/port-merrow', external: true },
          ],
        },
      ],
      seo: { metaTitle: 'About Tidewater', metaDescription: 'Who we are, where we sit and what we think about it.' },
    },
    {
      title: 'How to find us',
      slug: 'how-to-find-us',
      publishedAt: '2025-02-14T08:00:00.000Z',
      sections: [
        text('On foot', [
          paragraph('From the station turn left where everyone turns right. It is the green door, and it sticks.'),
        ]),
        {
          __component: 'shared.callout',
          tone: 'tip',
          heading: 'The bell',
          text: 'It does not work. *Knock*, or throw something small at the window.',
        },
        articleList('To read on the way', newest(articles, 'Travel', 3), 'More travel', '/categories/travel'),
      ],
      seo: null,
    },
    {
      title: 'Write for us',
      slug: 'write-for-us',
      publishedAt: '2025-06-02T08:00:00.000Z',
      sections: [
        text('What we look for', [
          paragraph('A person, a place and something that is being done. It should be possible to smell it.'),
          list(['no more than nine hundred words', 'no less than one joke', 'nothing about yourself until the end']),
        ]),
        text('What we pay', [paragraph('Not enough, but at once.')]),
      ],
      seo: { metaTitle: 'Write for Tidewater', metaDescription: 'What we look for, and what we pay.' },
    },
    {
      title: 'The summer party',
      slug: 'the-summer-party',
      publishedAt: null,
      sections: [text('Save the evening', [paragraph('The date is not settled. There will be one long table.')])],
      seo: null,
    },
  ]
}

/** The homepage, with the newest issue and the newest articles on it. */
export function makeHomepage(articles: readonly ArticleEntry[], issues: readonly IssueEntry[]): HomepageEntry {
  const topics = ['Food', 'Travel', 'Science', 'Craft', 'City']
  const current = issues.at(-1)!
  const cover = current.coverStory
  return {
    greeting: 'Good morning. It will rain later.',
    introduction:
      'Tidewater is a **monthly** about food, travel, science, craft and the city, made in Port Merrow by sixteen people and a cat.',
    contact: 'editor@tidewater.example',
    hero: {
      heading: `The ${current.data.title} issue`,
      text: 'Ten new pieces for the wettest month of the year.',
      article: cover,
      link: { label: 'Read the cover story', url: `/articles/${articles[cover]!.data.slug}` },
    },
    rows: topics.map(topic => ({
      heading: topic,
      articles: newest(articles, topic, 4),
      more: { label: `More ${topic.toLowerCase()}`, url: `/categories/${topic.toLowerCase()}` },
    })),
    editorsChoice: articles.flatMap((article, place) => (article.data.featured ? [place] : [])).slice(-5),
  }
}

function newest(articles: readonly ArticleEntry[], topic: string, count: number): number[] {
  const published = [...articles.entries()].filter(
    ([, { topic: of, data }]) => of === topic && data.publishedAt !== null,
  )
  return published
    .sort(([, one], [, other]) => other.data.publishedAt!.localeCompare(one.data.publishedAt!))
    .slice(0, count)
    .map(([place]) => place)
}
