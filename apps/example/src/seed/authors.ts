// The authors of the magazine and their departments.

import { slugify } from '../slug.ts'
import { type Block, list, paragraph } from './blocks.ts'

/** A department, as it is stored. */
export interface DeskEntry {
  room: string
  extension: number
  from: string
  until: string
}

/** An author and the entries that belong to them; others are referred to by slug. */
export interface AuthorEntry {
  data: { name: string; slug: string; email: string; deskPassword?: string; bio: Block[]; joinedOn: string }
  desk: DeskEntry | null
  mentor: string | null
  beats: readonly string[]
}

interface Sketch {
  name: string
  joinedOn: string
  beats: readonly string[]
  room: string | null
  hours: readonly [from: string, until: string]
  mentor?: string
  bio: string
  keeps: readonly string[]
}

const sketches: readonly Sketch[] = [
  {
    name: 'Wilhelmina Stroud',
    joinedOn: '2004-03-01',
    beats: ['streets', 'neighbours'],
    room: 'The landing',
    hours: ['09:00:00', '17:30:00'],
    bio: 'Wilhelmina Stroud founded Tidewater at a kitchen table with a borrowed typewriter, and edits it at the same table. She has lived on one street for sixty years and is still finding things on it.',
    keeps: ['a pencil behind each ear', 'the borrowed typewriter'],
  },
  {
    name: 'Teodor Hallam',
    joinedOn: '2006-09-18',
    beats: ['bread', 'market'],
    room: 'The old scullery',
    hours: ['06:00:00', '13:00:00'],
    mentor: 'Wilhelmina Stroud',
    bio: 'Teodor Hallam was a ship’s cook for eleven years and writes about food as though there were still forty people waiting for it. He answers letters about soup before all others.',
    keeps: ['a ladle', 'nine kinds of salt'],
  },
  {
    name: 'Perpetua Lyle',
    joinedOn: '2009-01-12',
    beats: ['rail', 'walks'],
    room: 'The window',
    hours: ['10:00:00', '18:00:00'],
    mentor: 'Wilhelmina Stroud',
    bio: 'Perpetua Lyle has not been in an aeroplane since 1998 and does not miss it. Her expenses are the lowest in the house and her boots the most expensive.',
    keeps: ['last year’s timetable', 'a spare pair of socks'],
  },
  {
    name: 'Ambrose Okonjo',
    joinedOn: '2011-05-02',
    beats: ['sky', 'soil'],
    room: 'The roof',
    hours: ['14:00:00', '23:30:00'],
    mentor: 'Wilhelmina Stroud',
    bio: 'Ambrose Okonjo taught physics until his pupils began to ask better questions than he could answer, and then became a journalist. He sees no difference.',
    keeps: ['a red lamp', 'a jar of unnamed beetles'],
  },
  {
    name: 'Sunniva Brock',
    joinedOn: '2012-10-08',
    beats: ['wood', 'cloth'],
    room: 'The bench',
    hours: ['08:00:00', '16:00:00'],
    mentor: 'Teodor Hallam',
    bio: 'Sunniva Brock served her time as a cabinetmaker, and took to writing when she had to explain an invoice. She still makes a chair a year.',
    keeps: ['a marking knife', 'shavings, everywhere'],
  },
  {
    name: 'Lucian Farr',
    joinedOn: '2014-02-24',
    beats: ['streets'],
    room: 'The landing',
    hours: ['11:00:00', '19:00:00'],
    mentor: 'Wilhelmina Stroud',
    bio: 'Lucian Farr walks to work by a different way each day and is therefore late. His book about kerbs is in its fourth printing.',
    keeps: ['a tape measure', 'a list of benches'],
  },
  {
    name: 'Delphine Arkwright',
    joinedOn: '2015-06-15',
    beats: ['neighbours', 'market'],
    room: 'The old scullery',
    hours: ['09:30:00', '15:00:00'],
    mentor: 'Teodor Hallam',
    bio: 'Delphine Arkwright sings second alto in three choirs and has the keys to eleven flats. Nobody has ever refused her an interview.',
    keeps: ['a tuning fork', 'the keys'],
  },
  {
    name: 'Jonah Pettifer',
    joinedOn: '2016-04-04',
    beats: ['rail'],
    room: 'The window',
    hours: ['07:15:00', '15:45:00'],
    mentor: 'Perpetua Lyle',
    bio: 'Jonah Pettifer was a signaller on a line that was closed beneath him. He writes by hand, standing up, between trains.',
    keeps: ['a whistle', 'a cloth for the levers'],
  },
  {
    name: 'Marguerite Ennis',
    joinedOn: '2017-11-20',
    beats: ['soil', 'walks'],
    room: 'The yard',
    hours: ['08:30:00', '14:30:00'],
    mentor: 'Ambrose Okonjo',
    bio: 'Marguerite Ennis studied the fungi of old meadows and now studies the old people who own them. She can be found by following the mud.',
    keeps: ['a hand lens', 'six beans in an envelope'],
  },
  {
    name: 'Caspar Undrell',
    joinedOn: '2018-08-13',
    beats: ['sky'],
    room: 'The roof',
    hours: ['16:00:00', '23:59:59'],
    mentor: 'Ambrose Okonjo',
    bio: 'Caspar Undrell has discovered one comet, which turned out to be already known. He has been more careful, and more cheerful, since.',
    keeps: ['a blanket', 'four hundred hours of meteors'],
  },
  {
    name: 'Ottilie Graves',
    joinedOn: '2019-03-25',
    beats: ['cloth'],
    room: 'The bench',
    hours: ['10:00:00', '16:30:00'],
    mentor: 'Sunniva Brock',
    bio: 'Ottilie Graves darns in meetings. She inherited a loom that does not fit through any door, and so she has not moved.',
    keeps: ['a darning egg', 'eleven yellows'],
  },
  {
    name: 'Bartholomew Tan',
    joinedOn: '2020-07-06',
    beats: ['bread'],
    room: 'The old scullery',
    hours: ['04:00:00', '11:00:00'],
    mentor: 'Teodor Hallam',
    bio: 'Bartholomew Tan was a night baker and cannot sleep past three. His copy arrives warm.',
    keeps: ['a jar that must be fed'],
  },
  {
    name: 'Isolde Marchbank',
    joinedOn: '2021-09-01',
    beats: ['wood'],
    room: 'The bench',
    hours: ['09:00:00', '17:00:00'],
    mentor: 'Sunniva Brock',
    bio: 'Isolde Marchbank restores small boats and large reputations. She once spent a year on eleven yards of rope.',
    keeps: ['a mallet', 'tar under the nails'],
  },
  {
    name: 'Rainer Whitlock',
    joinedOn: '2022-05-30',
    beats: ['walks', 'streets'],
    room: null,
    hours: ['00:00:00', '00:00:00'],
    mentor: 'Perpetua Lyle',
    bio: 'Rainer Whitlock has no desk. He files from bus shelters, and his spelling depends upon the rain.',
    keeps: ['a second lunch'],
  },
  {
    name: 'Philippa Drummond',
    joinedOn: '2023-10-16',
    beats: ['neighbours', 'soil'],
    room: 'The yard',
    hours: ['09:00:00', '13:00:00'],
    mentor: 'Delphine Arkwright',
    bio: 'Philippa Drummond came to write one piece about an allotment and was given a plot. She answers the telephone in the mornings only.',
    keeps: ['a trowel', 'everybody’s birthdays'],
  },
  {
    name: 'Emeka Solberg',
    joinedOn: '2024-09-09',
    beats: ['market', 'rail'],
    room: 'The window',
    hours: ['12:00:00', '20:00:00'],
    mentor: 'Jonah Pettifer',
    bio: 'Emeka Solberg is the youngest of the house and the only one who knows how the printer works. He is learning to be slow.',
    keeps: ['the manual of the printer'],
  },
]

/** All authors, mentors before those who learn from them. */
export function makeAuthors(): AuthorEntry[] {
  return sketches.map((sketch, index) => ({
    data: {
      name: sketch.name,
      slug: slugify(sketch.name),
      email: `${sketch.name.split(' ')[0]!.toLowerCase()}@tidewater.example`,
      // Only the two most senior authors have a password. Hashing is slow on purpose, so two are enough for a seed.
      ...(index < 2 ? { deskPassword: `${slugify(sketch.name)}-1887` } : {}),
      bio: [paragraph(sketch.bio), paragraph('On the desk:'), list(sketch.keeps)],
      joinedOn: sketch.joinedOn,
    },
    desk:
      sketch.room === null
        ? null
        : { room: sketch.room, extension: 101 + index * 7, from: sketch.hours[0], until: sketch.hours[1] },
    mentor: sketch.mentor === undefined ? null : slugify(sketch.mentor),
    beats: sketch.beats,
  }))
}
