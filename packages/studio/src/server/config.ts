// Defines the settings of the plugin.

import { type Static, Type } from '@plinth/kernel'

const text = Type.String({ minLength: 1 })

/** How the entries of one type are presented. */
const typeSchema = Type.Object(
  {
    /** The name of the type in the navigation and above lists; by default `info.displayName`. */
    label: Type.Optional(text),
    /** The heading in the navigation below which the type is listed. */
    group: Type.Optional(text),
    /** True: the type is not listed in the navigation. Whoever has the rights still reaches its entries. */
    hidden: Type.Optional(Type.Boolean()),
    /** The attribute by which entries are named; by default `title`, `name`, or the first text. */
    mainField: Type.Optional(text),
    /** The attributes that a list shows at first. */
    columns: Type.Optional(Type.Array(text)),
    /** The order of a list at first, such as `title:asc`. */
    sort: Type.Optional(Type.String({ pattern: '^[A-Za-z_][\\w.]*:(asc|desc)$' })),
    /** The rows of the form, each with the attributes that stand beside each other. Others follow below. */
    layout: Type.Optional(Type.Array(Type.Array(text))),
    /** Labels of attributes; by default they follow from the names. */
    labels: Type.Optional(Type.Record(text, text)),
    /** Sentences below the inputs of attributes. */
    descriptions: Type.Optional(Type.Record(text, text)),
    /** The address at which an entry can be seen, with `{slug}` and the like for its attributes. */
    preview: Type.Optional(text),
  },
  { additionalProperties: false },
)

export const configSchema = Type.Object(
  {
    /** Where the panel is served. */
    path: Type.String({ default: '/studio', pattern: '^(/[A-Za-z0-9_-]+)+$' }),
    /** The name of the panel, above its navigation and in the title of its pages. */
    title: Type.String({ default: 'Plinth', minLength: 1 }),
    /** Origins of the files of media that other servers deliver, such as `https://media.example.com`. */
    mediaOrigins: Type.Array(Type.String({ pattern: '^https?://[^/\\s;,]+$' }), { default: [] }),
    /** How types and components are presented, by their uid. */
    types: Type.Record(text, typeSchema, { default: {} }),
  },
  { additionalProperties: false },
)

export type Config = Static<typeof configSchema>
export type TypeSettings = Static<typeof typeSchema>
