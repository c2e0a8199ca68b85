// The printed issues, one per month, with all data that a printer needs.

import type { ArticleEntry } from './articles.ts'

/** An issue and its articles, as indexes into the list of articles. */
export interface IssueEntry {
  data: IssueData
  articles: number[]
  coverStory: number
}

/** An issue before it has articles. */
export interface IssueData {
  number: number
  title: string
  month: string
  onSaleAt: string
  sentToPrintAt: string
  price: number
  weightGrams: number
  barcode: string
  soldOut: boolean
  colophon: { paper: string; typefaces: string[]; press: { name: string; run: number }; corrected: boolean }
}

const titles = [
  'Thaw',
  'Mud',
  'First Green',
  'Open Windows',
  'Short Nights',
  'Salt',
  'Dust',
  'Plums',
  'Smoke',
  'Fog',
  'Lamps',
  'Ice',
  'Snowdrops',
  'Wind',
  'Blossom',
  'Long Evenings',
  'Barefoot',
  'Thunder',
  'Straw',
  'Geese',
  'Rust',
  'Rain',
]

/** All issues, the oldest first: the first appeared in February 2025. */
export function makeIssues(): IssueData[] {
  return titles.map((title, index) => {
    const onSale = new Date(Date.UTC(2025, 1 + index, 1, 6))
    const number = index + 1
    return {
      number,
      title,
      month: onSale.toISOString().slice(0, 10),
      onSaleAt: onSale.toISOString(),
      sentToPrintAt: new Date(onSale.getTime() - 9 * 86_400_000 + number * 61_000).toISOString(),
      price: index < 11 ? 6.5 : 6.9,
      weightGrams: 298.5 + ((number * 37) % 23) / 4,
      barcode: barcode(number),
      soldOut: number % 7 === 3,
      colophon: {
        paper: number % 2 === 0 ? 'Larkham Offset 90 g' : 'Larkham Book Cream 80 g',
        typefaces: ['Bell', 'Caslon', ...(number > 11 ? ['Grotesque No. 9'] : [])],
        press: { name: 'The two-colour at Weir Street', run: 4200 + number * 50 },
        corrected: number % 5 !== 0,
      },
    }
  })
}

/** Assigns the articles to their issues. The cover story comes from each beat in turn. */
export function bindIssues(issues: readonly IssueData[], articles: readonly ArticleEntry[]): IssueEntry[] {
  return issues.map((data, place) => {
    const own = [...articles.keys()].filter(article => articles[article]!.issue === place)
    return { data, articles: own, coverStory: own[data.number % own.length]! }
  })
}

/** The number of the barcode: that of the periodical, that of the issue, and the check digit of both. */
function barcode(number: number): string {
  const digits = `9772055300${String(number).padStart(2, '0')}`
  const sum = [...digits].reduce((total, digit, place) => total + Number(digit) * (place % 2 === 0 ? 1 : 3), 0)
  return `${digits}${(10 - (sum % 10)) % 10}`
}
