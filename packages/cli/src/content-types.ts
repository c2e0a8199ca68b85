// `plinth content-types`: the content types and components of an application, those of its plugins included.

import type { ContentType } from '@plinth/kernel'
import { defineCommand } from '#citty'
import { dirOption, withKernel } from './open.ts'
import { tableText } from './table.ts'
import { withExamples } from './usage.ts'

/** A content type or component, as `--json` prints it. */
export interface ListedType {
  readonly uid: string
  readonly kind: ContentType['kind']
  readonly singularName: string
  readonly pluralName: string
  readonly table: string
  /** The types of its attributes, by name. */
  readonly attributes: Readonly<Record<string, string>>
}

export const contentTypes = withExamples(
  defineCommand({
    meta: {
      name: 'content-types',
      alias: 'content-types:list',
      description: 'print the content types and components of the application and its plugins',
    },
    args: { dir: dirOption, json: { type: 'boolean', description: 'print JSON' } },
    run: ({ args }) =>
      withKernel(args.dir, async kernel => {
        const types = kernel.contentTypes
          .values()
          .map(listed)
          .sort((a, b) => (a.uid < b.uid ? -1 : 1))
        console.log(args.json ? JSON.stringify(types, null, 2) : typesText(types))
      }),
  }),
  ['plinth content-types             # uid, kind, table, number of attributes', 'plinth content-types --json'],
)

function listed({ uid, kind, singularName, pluralName, table, attributes }: ContentType): ListedType {
  const types = [...attributes].map(([name, { definition }]) => [name, definition.type])
  return { uid, kind, singularName, pluralName, table, attributes: Object.fromEntries(types) }
}

function typesText(types: readonly ListedType[]): string {
  const rows = types.map(({ uid, kind, table, attributes }) => [
    uid,
    kind,
    table,
    String(Object.keys(attributes).length),
  ])
  return tableText(['UID', 'KIND', 'TABLE', 'ATTRIBUTES'], rows)
}
