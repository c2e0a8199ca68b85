// The settings of the plugin. Those that v4 has keep their names and meaning (B-11.12, B-11.14).

import { type Static, Type } from '@plinth/kernel'

const pattern = Type.String({
  pattern: '^(\\*|[\\w.+-]+/(\\*|[\\w.+-]+))$',
  expected: 'a pattern of types, such as "image/*"',
})

/** An upload has to end before a start takes it for that of a killed process, which is an hour. */
const longestUpload = 55 * 60

export const configSchema = Type.Object(
  {
    provider: Type.Any({
      default: 'local',
      description:
        'The provider that stores files: `local`, the name of a package or the path of a module whose default export has `init`, or a provider itself. `name` stands for the package `@plinth/upload-<name>`, if there is one.',
    }),
    providerOptions: Type.Record(Type.String(), Type.Any(), {
      default: {},
      description: 'The options of the provider.',
    }),
    actionOptions: Type.Optional(
      Type.Record(Type.String(), Type.Any(), {
        description: "Accepted because v4 has it, without effect: options of single calls of v4's providers.",
      }),
    ),
    folder: Type.Optional(
      Type.String({
        minLength: 1,
        description: 'The folder of local files; by default `public/uploads` of the application.',
      }),
    ),
    sizeLimit: Type.Integer({
      minimum: 1,
      default: 1_000_000_000,
      description: 'The maximum number of bytes of a file.',
    }),
    breakpoints: Type.Record(
      Type.String({ pattern: '^[A-Za-z0-9][\\w-]*$' }),
      Type.Integer({ minimum: 1, maximum: 16_383 }),
      {
        default: { large: 1000, medium: 750, small: 500 },
        additionalProperties: false,
        expected: 'a name of letters, digits, "_" and "-"',
        description: 'The sizes of the formats of pictures, by their names.',
      },
    ),
    responsiveDimensions: Type.Boolean({
      default: true,
      description: 'True if the formats of `breakpoints` are made; thumbnails always are.',
    }),
    allowedTypes: Type.Optional(
      Type.Array(pattern, { description: 'Patterns of types, such as `image/*`: files of other types are refused.' }),
    ),
    deniedTypes: Type.Array(pattern, {
      default: [],
      description: 'Patterns of types of files that are refused.',
    }),
    maxPixels: Type.Integer({
      minimum: 1,
      default: 100_000_000,
      description: 'The maximum number of pixels of a picture.',
    }),
    pictureTimeLimit: Type.Integer({
      minimum: 1,
      maximum: 600,
      default: 30,
      description: 'The time that one picture may take to decode, in seconds.',
    }),
    maxWaitingPictures: Type.Integer({
      minimum: 0,
      default: 100,
      description: 'The number of pictures that may wait while two are decoded; others are refused with a 503.',
    }),
    timeLimit: Type.Integer({
      minimum: 1,
      maximum: longestUpload,
      default: 1800,
      description: 'The time that one upload may take, in seconds.',
    }),
    absoluteUrls: Type.Union([Type.Boolean(), Type.String()], {
      default: false,
      description:
        'True if the URLs of local files are answered as absolute ones, by `url` in config/server; or the address that they begin with.',
    }),
    allowFilters: Type.Boolean({
      default: false,
      description: 'True if filters may pass through media, as in v4.',
    }),
  },
  { additionalProperties: false },
)

export type UploadConfig = Static<typeof configSchema>
