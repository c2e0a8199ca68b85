// The categories in French and German.

import { slugify } from '../../slug.ts'
import { locales, type Translation } from '../translation.ts'

/** The texts of a category in each language. Its colour and position are those of the original. */
export type CategoryWords = { name: string; slug: string; description: string }

const words = {
  food: {
    fr: ['Table', 'La cultiver, l’acheter, la cuire, et s’y asseoir.'],
    de: ['Essen', 'Anbauen, einkaufen, kochen und sich dazusetzen.'],
  },
  travel: {
    fr: ['Voyages', 'Jamais loin, et jamais vite.'],
    de: ['Reisen', 'Nie weit und nie schnell.'],
  },
  science: {
    fr: ['Sciences', 'Comment va le monde, pour autant qu’on le voie d’ici.'],
    de: ['Wissenschaft', 'Wie die Welt funktioniert, soweit man es von hier aus sieht.'],
  },
  craft: {
    fr: ['Artisanat', 'Des choses faites à la main, et les mains.'],
    de: ['Handwerk', 'Von Hand gemachte Dinge, und die Hände.'],
  },
  city: {
    fr: ['Ville', 'Les rues, et ceux qui y vivent.'],
    de: ['Stadt', 'Straßen und die, die darin wohnen.'],
  },
  bread: {
    fr: ['Pain', 'Des fours, de la farine et les heures d’avant l’aube.'],
    de: ['Brot', 'Öfen, Mehl und die Stunden vor der Dämmerung.'],
  },
  market: {
    fr: ['Marché', 'Ce qu’il y a sur les étals, et ce qu’on peut en faire.'],
    de: ['Markt', 'Was an den Ständen liegt und was man damit macht.'],
  },
  rail: {
    fr: ['Trains', 'Les trains lents et ceux qui les font rouler.'],
    de: ['Bahn', 'Langsame Züge und die Leute, die sie fahren.'],
  },
  walks: {
    fr: ['Promenades', 'Sentiers, météo et deuxièmes déjeuners.'],
    de: ['Wege', 'Fußpfade, Wetter und zweite Mittagessen.'],
  },
  sky: {
    fr: ['Ciel', 'Ce que l’on voit du fond du jardin.'],
    de: ['Himmel', 'Was man vom Garten aus sehen kann.'],
  },
  soil: {
    fr: ['Terre', 'Le sol, et quiconque y habite.'],
    de: ['Boden', 'Die Erde, und wer in ihr wohnt.'],
  },
  wood: {
    fr: ['Bois', 'Chaises, bateaux et outils tranchants.'],
    de: ['Holz', 'Stühle, Boote und scharfes Werkzeug.'],
  },
  cloth: {
    fr: ['Étoffe', 'Laine, couleur et raccommodage.'],
    de: ['Tuch', 'Wolle, Farbe und Flicken.'],
  },
  streets: {
    fr: ['Rues', 'La pièce sans toit.'],
    de: ['Straßen', 'Das Zimmer ohne Dach.'],
  },
  neighbours: {
    fr: ['Voisins', 'Comment on vit les uns à côté des autres.'],
    de: ['Nachbarn', 'Wie Menschen nebeneinander wohnen.'],
  },
} as const

/** Every category in every language. */
export function translateCategories(slugs: readonly string[]): Translation<CategoryWords>[] {
  return locales.flatMap(locale =>
    slugs.map((slug, of) => {
      const [name, description] = words[slug as keyof typeof words][locale]
      return { locale, of, data: { name, slug: slugify(name), description } }
    }),
  )
}
