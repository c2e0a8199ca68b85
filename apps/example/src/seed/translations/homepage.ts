// The homepage in French and German.

import type { HomepageEntry } from '../pages.ts'
import { type Locale, locales, type Translation } from '../translation.ts'

interface Words {
  greeting: string
  introduction: string
  heading: string
  text: string
  cover: string
  /** The headings of the rows, the texts of their links, and the categories that they link to. */
  rows: [string, string, string][]
}

const words: Record<Locale, Words> = {
  fr: {
    greeting: 'Bonjour. Il pleuvra plus tard.',
    introduction:
      'Tidewater est une revue **mensuelle** de table, de voyages, de sciences, d’artisanat et de ville, faite à Port Merrow par seize personnes et un chat.',
    heading: 'Le numéro de la pluie',
    text: 'Dix textes nouveaux pour le mois le plus mouillé de l’année.',
    cover: 'Lire l’article de couverture',
    rows: [
      ['Table', 'Encore à table', 'table'],
      ['Voyages', 'D’autres voyages', 'voyages'],
      ['Sciences', 'Plus de sciences', 'sciences'],
      ['Artisanat', 'Plus d’artisanat', 'artisanat'],
      ['Ville', 'Plus de ville', 'ville'],
    ],
  },
  de: {
    greeting: 'Guten Morgen. Später regnet es.',
    introduction:
      'Tidewater ist eine **Monatsschrift** über Essen, Reisen, Wissenschaft, Handwerk und die Stadt, gemacht in Port Merrow von sechzehn Leuten und einer Katze.',
    heading: 'Das Regenheft',
    text: 'Zehn neue Stücke für den nassesten Monat des Jahres.',
    cover: 'Zur Titelgeschichte',
    rows: [
      ['Essen', 'Mehr Essen', 'essen'],
      ['Reisen', 'Mehr Reisen', 'reisen'],
      ['Wissenschaft', 'Mehr Wissenschaft', 'wissenschaft'],
      ['Handwerk', 'Mehr Handwerk', 'handwerk'],
      ['Stadt', 'Mehr Stadt', 'stadt'],
    ],
  },
}

/** The homepage in every language. `coverSlug` finds the cover story in that language. */
export function translateHomepage(
  original: HomepageEntry,
  coverSlug: (locale: Locale) => string,
): Translation<HomepageEntry>[] {
  return locales.map(locale => {
    const { greeting, introduction, heading, text, cover, rows } = words[locale]
    const hero = { ...original.hero, heading, text, link: { label: cover, url: `/articles/${coverSlug(locale)}` } }
    const named = original.rows.map((row, place) => {
      const [heading, label, category] = rows[place]!
      return { ...row, heading, more: { label, url: `/categories/${category}` } }
    })
    return { locale, of: 0, data: { ...original, greeting, introduction, hero, rows: named } }
  })
}
