// The settings of the plugin, for config/plugins.

import { type Static, Type } from '@plinth/kernel'

const strict = { additionalProperties: false }
const names = (description: string) => Type.Array(Type.String(), { description })
const reasons = (description: string) => Type.Record(Type.String(), Type.String(), { description })

const paths = Type.Optional(names('The routes of this action.'))
const auth = Type.Optional(
  Type.Union(
    [Type.Literal(false), Type.Object({ scope: names('The actions to which a caller needs the right.') }, strict)],
    {
      description: 'Requirements on a caller of this action.',
    },
  ),
)

const router = Type.Object(
  {
    routes: Type.Optional(
      Type.Object(
        { find: paths, findOne: paths, create: paths, update: paths, delete: paths },
        {
          ...strict,
          description:
            'The routes of each action, below the prefix of the API: `GET /shop/notes/:id`. An action without one is not served.',
        },
      ),
    ),
    auth: Type.Optional(
      Type.Object(
        { find: auth, findOne: auth, create: auth, update: auth, delete: auth },
        { ...strict, description: "`auth` of v4's routes: `false`, or the actions of `scope`." },
      ),
    ),
    needsUser: Type.Optional(names('The actions for which a caller must have logged in.')),
  },
  strict,
)

export const configSchema = Type.Object(
  {
    unguarded: Type.Array(Type.String(), {
      default: [],
      description:
        'Actions that code of v4 guards, and that are served all the same; or the name of a global middleware of v4.',
    }),
    shut: Type.Optional(
      reasons('Actions that answer 403, each with the reason, beside those that the files of the application say.'),
    ),
    shutInGraphql: Type.Optional(reasons('The same for GraphQL alone.')),
    routers: Type.Optional(
      Type.Record(Type.String(), router, {
        description:
          "The settings of v4's routers that need no code, by types, beside what the files of the application say.",
      }),
    ),
  },
  strict,
)

export type Config = Static<typeof configSchema>
