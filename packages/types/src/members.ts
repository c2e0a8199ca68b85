// Writes the parts that members of interfaces have in common: their names and their comments.

import { quoted } from './quoted.ts'

/** The name as a key: quoted unless it is an identifier. */
export const keyOf = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name))

/** The text as a comment and its line break. */
export const comment = (text: string): string =>
  `/** ${text.replaceAll(/\s+/g, ' ').replaceAll('*/', '*\\/').trim()} */\n`
