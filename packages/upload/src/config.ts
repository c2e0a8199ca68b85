// The settings of the plugin. Those that v4 has keep their names and meaning (B-11.12, B-11.14).

import { type Static, Type } from '@plinth/kernel'

const patterns = Type.Array(Type.String({ pattern: '^(\\*|[\\w.+-]+/(\\*|[\\w.+-]+))$' }))

/** An upload has to end before a start takes it for that of a killed process, which is an hour. */
const longestUpload = 55 * 60

export const configSchema = Type.Object(
  {
    /**
     * The provider that stores files: `local`, the name of a package or the path of a module whose default export has `init`, or a
     * provider itself. `name` stands for the package `@plinth/upload-<name>`, if there is one.
     */
    provider: Type.Any({ default: 'local' }),
    /** The options of the provider. */
    providerOptions: Type.Record(Type.String(), Type.Any(), { default: {} }),
    /** Accepted because v4 has it, without effect: options of single calls of v4's providers. */
    actionOptions: Type.Optional(Type.Record(Type.String(), Type.Any())),
    /** The folder of local files; by default `public/uploads` of the application. */
    folder: Type.Optional(Type.String({ minLength: 1 })),
    /** The maximum number of bytes of a file. */
    sizeLimit: Type.Integer({ minimum: 1, default: 1_000_000_000 }),
    /** The sizes of the formats of pictures, by their names. */
    breakpoints: Type.Record(
      Type.String({ pattern: '^[A-Za-z][A-Za-z0-9]*$' }),
      Type.Integer({ minimum: 1, maximum: 16_383 }),
      {
        default: { large: 1000, medium: 750, small: 500 },
      },
    ),
    /** True if the formats of `breakpoints` are made; thumbnails always are. */
    responsiveDimensions: Type.Boolean({ default: true }),
    /** Patterns of types, such as `image/*`: files of other types are refused. */
    allowedTypes: Type.Optional(patterns),
    /** Patterns of types of files that are refused. */
    deniedTypes: Type.Array(Type.String({ pattern: '^(\\*|[\\w.+-]+/(\\*|[\\w.+-]+))$' }), { default: [] }),
    /** The maximum number of pixels of a picture. */
    maxPixels: Type.Integer({ minimum: 1, default: 100_000_000 }),
    /** The time that one picture may take to decode, in seconds. */
    pictureTimeLimit: Type.Integer({ minimum: 1, maximum: 600, default: 30 }),
    /** The number of pictures that may wait while two are decoded; others are refused with a 503. */
    maxWaitingPictures: Type.Integer({ minimum: 0, default: 100 }),
    /** The time that one upload may take, in seconds. */
    timeLimit: Type.Integer({ minimum: 1, maximum: longestUpload, default: 1800 }),
    /** True if filters may pass through media, as in v4 (B-2.119). */
    allowFilters: Type.Boolean({ default: false }),
  },
  { additionalProperties: false },
)

export type UploadConfig = Static<typeof configSchema>
