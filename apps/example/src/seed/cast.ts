// The people, towns and streets in the articles. All of them are invented.

import type { Random } from './random.ts'

const firstNames =
  'Ada Agnes Alma Anton Basil Bea Cato Clara Corin Dora Edda Edwin Elin Enid Ezra Fabian Flora Greta Hanne Hugo Ida Ines Ivo Jonas Juno Kit Lena Leo Lotte Magnus Mara Mina Nadia Nell Noor Olav Orla Otto Pia Rafi Rhea Rosa Rufus Selma Silas Tamar Theo Una Vera Yusuf'.split(
    ' ',
  )
const lastNames =
  'Aalto Abara Bellamy Birch Brandt Calder Castellan Corbin Dahl Dove Eastman Farrow Fell Finch Garrow Haddad Hale Holm Iversen Jarvis Keel Kessler Larkin Lindqvist Lund Marchetti Marlow Moss Nakai Norling Okafor Orchard Osei Pell Quill Ransome Rook Sable Santos Sorrel Starling Thorne Tilley Ueda Vance Vass Wexley Wren Yarrow Zeman'.split(
    ' ',
  )
const places = [
  'Aldersea',
  'Brackwater',
  'Dunlin Bay',
  'Easter Combe',
  'Farrowdale',
  'Grayling Ferry',
  'Hazelhithe',
  'Hollin Vale',
  'Kestrel Point',
  'Lower Marl',
  'Mirefield',
  'Ostrey',
  'Oxlode',
  'Port Merrow',
  'Quarrybank',
  'Saint Elm',
  'Sallow Bridge',
  'Tarnhead',
  'Thornwick',
  'Whinscar',
]
const streets = [
  'Anchor Lane',
  'Bellfounder Street',
  'Candle Row',
  'Chapel Rise',
  'Cooper’s Yard',
  'Dyer Street',
  'Eel Market',
  'Fennel Street',
  'Glovers’ Walk',
  'Heron Quay',
  'Kiln Street',
  'Lantern Hill',
  'Mill Lane',
  'Net Loft Lane',
  'Orchard Street',
  'Pilot Street',
  'Quince Street',
  'Saddler Row',
  'Tanner Row',
  'Weir Street',
]
const spans = ['seven', 'nine', 'eleven', 'twelve', 'fourteen', 'sixteen', 'nineteen', 'twenty-two', 'thirty', 'forty']
const days = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
const months = 'January February March April May June July August September October November December'.split(' ')

/** The names that may be in braces in a text. */
export interface Slots {
  person: string
  first: string
  place: string
  street: string
  years: string
  month: string
  day: string
}

/** The name of a month, from a date such as `2025-02-01`. */
export function monthName(date: string): string {
  return months[Number(date.slice(5, 7)) - 1]!
}

/** A name that this writer has not used before. */
export function createNames(random: Random): () => string {
  const used = new Set<string>()
  return () => {
    for (;;) {
      const name = `${random.pick(firstNames)} ${random.pick(lastNames)}`
      if (used.has(name)) continue
      used.add(name)
      return name
    }
  }
}

/** Everything that one article is about: people, places and dates. */
export function drawSlots(random: Random, person: string, month: string): Slots {
  return {
    person,
    first: person.split(' ')[0]!,
    place: random.pick(places),
    street: random.pick(streets),
    years: random.pick(spans),
    month,
    day: random.pick(days),
  }
}

/** Replaces the names in braces in a text. Throws an error for an unknown name. */
export function fill(text: string, slots: Slots): string {
  const filled = text.replace(/\{(\w+)\}/g, (braces, name: string) => {
    if (!(name in slots)) throw new Error(`No slot is called ${braces}: ${text.slice(0, 60)}…`)
    return slots[name as keyof Slots]
  })
  return filled.charAt(0).toUpperCase() + filled.slice(1)
}
