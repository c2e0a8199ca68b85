// Defines the settings of the plugin.

import { type Static, Type } from '@plinth/kernel'

const text = Type.String({ minLength: 1 })

const origin = 'an origin, such as "https://media.example.com"'

/** Number of entries that a page of a list may have. */
const pageSize = Type.Union(
  [Type.Literal(10), Type.Literal(20), Type.Literal(25), Type.Literal(50), Type.Literal(100)],
  { description: 'Number of entries that a page of a list has at first.' },
)
export const pageSizes = pageSize.anyOf.map(one => one.const)

/** A text that may be missing, with what it means. */
const optionalText = (description: string) => Type.Optional(Type.String({ minLength: 1, description }))

/** Presentation of the entries of one type. */
export const typeSchema = Type.Object(
  {
    label: optionalText('The name of the type in the navigation and above lists; by default `info.displayName`.'),
    group: optionalText('The heading in the navigation below which the type is listed.'),
    hidden: Type.Optional(
      Type.Boolean({
        description:
          'True: the type is not listed in the navigation. Whoever has the rights still reaches its entries.',
      }),
    ),
    mainField: optionalText('The attribute by which entries are named; by default `title`, `name`, or the first text.'),
    columns: Type.Optional(Type.Array(text, { description: 'The attributes that a list shows at first.' })),
    sort: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z_][\\w.]*:(asc|desc)$',
        expected: 'an attribute with ":asc" or ":desc", such as "title:asc"',
        description: 'The order of a list at first, such as `title:asc`.',
      }),
    ),
    pageSize: Type.Optional(pageSize),
    layout: Type.Optional(
      Type.Array(Type.Array(text), {
        description:
          'The rows of the form, each with the attributes that stand beside each other. Others follow below.',
      }),
    ),
    hiddenAttributes: Type.Optional(
      Type.Array(text, {
        description:
          'Attributes that the form leaves out. Whoever has the rights still reads and writes them by the API.',
      }),
    ),
    readonlyAttributes: Type.Optional(
      Type.Array(text, { description: 'Attributes that the form shows and does not change.' }),
    ),
    labels: Type.Optional(
      Type.Record(text, text, { description: 'Labels of attributes; by default they follow from the names.' }),
    ),
    descriptions: Type.Optional(Type.Record(text, text, { description: 'Sentences below the inputs of attributes.' })),
    preview: Type.Optional(
      Type.String({
        pattern: '^(https?://[^/?#{}\\\\\\s]+([/?#]|$)|/(?![/\\\\]))',
        expected:
          'an address that begins with https://, http:// or "/", with names of attributes behind the host alone',
        description: 'The address at which an entry can be seen, with `{slug}` and the like for its attributes.',
      }),
    ),
  },
  { additionalProperties: false },
)

export const configSchema = Type.Object(
  {
    path: Type.String({
      default: '/studio',
      pattern: '^(/[A-Za-z0-9_-]+)+$',
      expected: 'a path such as "/studio", without a slash at its end',
      description: 'The path at which the panel is served.',
    }),
    title: Type.String({
      default: 'Plinth',
      minLength: 1,
      description: 'The name of the panel, above its navigation and in the title of its pages.',
    }),
    mediaOrigins: Type.Array(Type.String({ pattern: '^https?://[^/\\s;,]+$', expected: origin }), {
      default: [],
      description:
        'Further origins of media that other servers deliver, such as `https://media.example.com`; that of the provider of the plugin upload is known.',
    }),
    logins: Type.Record(text, text, {
      default: {},
      description:
        'The names under which the page of the log-in offers logins by other providers, by their names in users-permissions.',
    }),
    layoutsOfV4: Type.Boolean({
      default: true,
      description:
        "True if the presentation of types and components that v4's panel stored in the database is used, as far as `types` does not set it.",
    }),
    types: Type.Record(text, typeSchema, {
      default: {},
      description: 'Presentation of types and components, by their uid.',
    }),
  },
  { additionalProperties: false },
)

export type Config = Static<typeof configSchema>
export type TypeSettings = Static<typeof typeSchema>
