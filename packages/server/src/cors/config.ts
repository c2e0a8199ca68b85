// Defines the settings of CORS, which are the options of v4's strapi::cors (B-1.62), and reads those of config/server.
// Does not know which transport has an older place for them.

import { findFaults, StartError, type Static, Type } from '@plinth/kernel'
import type { FastifyRequest } from 'fastify'

/** Returns the origins that may read the answer to a request: one, several, "*" or none. */
export type OriginFunction = (request: FastifyRequest) => unknown

const originFunction = Type.Unsafe<OriginFunction>(Type.Function([Type.Unknown()], Type.Unknown()))
const origin = Type.Union([Type.String(), Type.Undefined(), Type.Null()])
const list = (description: string) => Type.Union([Type.String(), Type.Array(Type.String())], { description })

const optionsSchema = Type.Object(
  {
    origin: Type.Optional(
      Type.Union([Type.String(), Type.Array(origin), originFunction], {
        description:
          'Origins that may read answers: one, several (separated by commas or as a list), "*", or a function. Members of a list that are undefined or null, such as variables that are not set, are left out.',
      }),
    ),
    expose: Type.Optional(
      list('Headers of answers that scripts may read, in place of the usual ones and of those that plugins add.'),
    ),
    maxAge: Type.Optional(
      Type.Integer({ minimum: 0, description: 'Seconds for which browsers keep what is allowed.' }),
    ),
    credentials: Type.Optional(Type.Boolean({ description: 'True if requests may have credentials of the browser.' })),
    methods: Type.Optional(list('Methods that requests may have.')),
    headers: Type.Optional(
      list('Headers that requests may have, in place of the usual ones and of those that plugins add.'),
    ),
    keepHeadersOnError: Type.Optional(
      Type.Boolean({
        description: 'Accepted because v4 has it, without effect: errors have the headers of all answers.',
      }),
    ),
  },
  { additionalProperties: false },
)

/** The schema of a setting of CORS: false sends no headers of CORS, true those of the defaults. */
export const corsSchema = Type.Union([Type.Boolean(), optionsSchema], {
  description: 'Access of pages of other origins; false sends no headers of CORS, true those of the defaults.',
})

/** The options of CORS. */
export type CorsOptions = Static<typeof optionsSchema>

/** A setting of CORS. */
export type CorsSetting = Static<typeof corsSchema>

const serverSchema = Type.Object({ cors: Type.Optional(corsSchema) })

/** The setting `cors` of config/server; undefined if there is none. Throws StartError if it is invalid. */
export function serverSetting({ cors }: Readonly<Record<string, unknown>>): CorsSetting | undefined {
  if (cors === undefined || cors === null) return undefined
  const faults = findFaults(serverSchema, { cors })
  if (faults.length === 0) return cors as CorsSetting
  const messages = faults.map(({ path, message }) => `config/server: ${path} ${message}`)
  throw new StartError('PLINTH_CONFIG_INVALID', messages.join('; '))
}
