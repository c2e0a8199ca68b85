// Names a component by what is in it, as people see it in a list: by its main field, or else by its first text.

import type { Attribute, Component } from './types.ts'

type Values = Readonly<Record<string, unknown>>

/** More characters than this do not help to recognise it. */
const maxLength = 80

/** The types whose values may name a component. */
const textTypes = new Set(['string', 'text', 'richtext', 'blocks', 'email', 'uid'])

/** The title of a component; null if there is no text in it. */
export function itemTitle({ mainField, attributes }: Component, values: Values): string | null {
  const texts = attributes.filter(({ type }) => textTypes.has(type))
  const main = texts.filter(({ name }) => name === mainField)
  for (const attribute of [...main, ...texts]) {
    const text = textOf(attribute, values[attribute.name])
    if (text !== '') return text
  }
  return null
}

function textOf({ type }: Attribute, value: unknown): string {
  const text = type === 'blocks' ? textOfBlocks(value) : typeof value === 'string' ? value : ''
  const plain = type === 'richtext' ? text.replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/[#*_`>]/g, '') : text
  const line = plain.trim().replace(/\s+/g, ' ')
  return line.length > maxLength ? `${line.slice(0, maxLength).trimEnd()}…` : line
}

/** The text of v4's blocks, up to about the length of a title. */
function textOfBlocks(value: unknown): string {
  if (!Array.isArray(value)) return ''
  let text = ''
  for (const node of value as readonly Values[]) {
    if (text.length > maxLength) break
    text += typeof node?.text === 'string' ? node.text : ` ${textOfBlocks(node?.children)}`
  }
  return text
}
