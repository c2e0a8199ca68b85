// The pages in French and German. Their article lists and contact are those of the original, with translated headings.

import { slugify } from '../../slug.ts'
import { heading, list, paragraph, paragraphWithLink } from '../blocks.ts'
import type { Part } from '../extras.ts'
import { type PageEntry, text } from '../pages.ts'
import { type Locale, locales, type Translation } from '../translation.ts'

interface Words {
  title: string
  seo: PageEntry['seo']
  /** One for each section of the original, in its order. */
  sections: Part[]
}

/** A section: a text, or the attributes that differ from a section of the original. */
const over = (__component: string, words: object): Part => ({ __component, ...words }) as Part

const words: Record<Locale, Words[]> = {
  fr: [
    {
      title: 'Qui nous sommes',
      seo: { metaTitle: 'À propos de Tidewater', metaDescription: 'Qui nous sommes, où, et ce que nous en pensons.' },
      sections: [
        text('Une revue pour ceux qui ne sont pas pressés', [
          paragraph('Tidewater paraît le premier de chaque mois depuis qu’on y a pensé, et une fois le trois.'),
          heading(3, 'Ce dont nous parlons'),
          list(['la table', 'les voyages, mais pas loin', 'les sciences', 'l’artisanat', 'la ville']),
          paragraphWithLink(
            'Si vous y trouvez une erreur, écrivez',
            'à la rédaction',
            'mailto:editor@tidewater.example',
          ),
        ]),
        over('shared.quote', { text: 'Nous n’imprimons rien que nous ne lirions à voix haute.' }),
        over('sections.article-list', {
          heading: 'Par où commencer',
          more: { label: 'Tout sur la table', url: '/categories/table' },
        }),
        over('sections.contact', {
          heading: 'Venez nous voir',
          links: [
            { label: 'Comment trouver la porte', url: '/pages/comment-nous-trouver', external: false },
            { label: 'Un plan', url: 'https://maps.example/port-merrow', external: true },
          ],
        }),
      ],
    },
    {
      title: 'Comment nous trouver',
      seo: null,
      sections: [
        text('À pied', [
          paragraph(
            'De la gare, prenez à gauche là où tout le monde prend à droite. C’est la porte verte, et elle coince.',
          ),
        ]),
        over('shared.callout', {
          heading: 'La sonnette',
          text: 'Elle ne marche pas. *Frappez*, ou lancez quelque chose de petit contre la vitre.',
        }),
        over('sections.article-list', {
          heading: 'À lire en chemin',
          more: { label: 'D’autres voyages', url: '/categories/voyages' },
        }),
      ],
    },
    {
      title: 'Écrire pour nous',
      seo: { metaTitle: 'Écrire pour Tidewater', metaDescription: 'Ce que nous cherchons, et ce que nous payons.' },
      sections: [
        text('Ce que nous cherchons', [
          paragraph('Quelqu’un, un lieu et quelque chose que l’on y fait. Il faut qu’on en sente l’odeur.'),
          list(['neuf cents mots au plus', 'une plaisanterie au moins', 'rien sur vous-même avant la fin']),
        ]),
        text('Ce que nous payons', [paragraph('Trop peu, mais tout de suite.')]),
      ],
    },
    {
      title: 'La fête de l’été',
      seo: null,
      sections: [
        text('Gardez votre soirée', [paragraph('La date n’est pas fixée. Il y aura une seule longue table.')]),
      ],
    },
  ],
  de: [
    {
      title: 'Über uns',
      seo: { metaTitle: 'Über Tidewater', metaDescription: 'Wer wir sind, wo wir sitzen und was wir davon halten.' },
      sections: [
        text('Eine Zeitschrift für alle, die es nicht eilig haben', [
          paragraph('Tidewater erscheint, seit es erdacht wurde, am Ersten jedes Monats, und einmal am Dritten.'),
          heading(3, 'Worüber wir schreiben'),
          list(['Essen', 'Reisen, aber nicht weit', 'Wissenschaft', 'Handwerk', 'die Stadt']),
          paragraphWithLink(
            'Wenn etwas nicht stimmt, schreiben Sie bitte',
            'der Redaktion',
            'mailto:editor@tidewater.example',
          ),
        ]),
        over('shared.quote', { text: 'Wir drucken nichts, was wir nicht vorlesen würden.' }),
        over('sections.article-list', {
          heading: 'Zum Anfangen',
          more: { label: 'Alles über Essen', url: '/categories/essen' },
        }),
        over('sections.contact', {
          heading: 'Kommen Sie vorbei',
          links: [
            { label: 'Wie man die Tür findet', url: '/pages/so-finden-sie-uns', external: false },
            { label: 'Ein Stadtplan', url: 'https://maps.example/port-merrow', external: true },
          ],
        }),
      ],
    },
    {
      title: 'So finden Sie uns',
      seo: null,
      sections: [
        text('Zu Fuß', [
          paragraph('Vom Bahnhof nach links, wo alle nach rechts gehen. Es ist die grüne Tür, und sie klemmt.'),
        ]),
        over('shared.callout', {
          heading: 'Die Klingel',
          text: 'Sie geht nicht. *Klopfen Sie*, oder werfen Sie etwas Kleines ans Fenster.',
        }),
        over('sections.article-list', {
          heading: 'Für unterwegs',
          more: { label: 'Mehr Reisen', url: '/categories/reisen' },
        }),
      ],
    },
    {
      title: 'Schreiben Sie für uns',
      seo: { metaTitle: 'Für Tidewater schreiben', metaDescription: 'Was wir suchen und was wir zahlen.' },
      sections: [
        text('Was wir suchen', [
          paragraph('Einen Menschen, einen Ort und etwas, das getan wird. Man sollte es riechen können.'),
          list(['höchstens neunhundert Wörter', 'mindestens einen Scherz', 'nichts über Sie selbst vor dem Schluss']),
        ]),
        text('Was wir zahlen', [paragraph('Zu wenig, aber sofort.')]),
      ],
    },
    {
      title: 'Das Sommerfest',
      seo: null,
      sections: [
        text('Halten Sie den Abend frei', [
          paragraph('Der Tag steht noch nicht fest. Es wird eine lange Tafel geben.'),
        ]),
      ],
    },
  ],
}

/** Every page in every language, published if the original is. */
export function translatePages(pages: readonly PageEntry[]): Translation<PageEntry>[] {
  return locales.flatMap(locale =>
    words[locale].map(({ title, seo, sections }, of) => {
      const original = pages[of]!
      const merged = sections.map((section, place) => ({ ...original.sections[place]!, ...section }))
      return {
        locale,
        of,
        data: { title, slug: slugify(title), publishedAt: original.publishedAt, seo, sections: merged },
      }
    }),
  )
}
