// The settings of the plugin, for config/plugins.

import { type Static, Type } from '@plinth/kernel'

const strict = { additionalProperties: false }
const names = Type.Array(Type.String())
const reasons = Type.Record(Type.String(), Type.String())
const routeAuth = Type.Union([Type.Literal(false), Type.Object({ scope: names }, strict)])

const lists = Type.Optional(names)
const rules = Type.Optional(routeAuth)

const router = Type.Object(
  {
    /** The routes of each action, below the prefix of the API: `GET /shop/notes/:id`. An action without one is not served. */
    routes: Type.Optional(
      Type.Object({ find: lists, findOne: lists, create: lists, update: lists, delete: lists }, strict),
    ),
    /** `auth` of v4's routes: `false`, or the actions of `scope`. */
    auth: Type.Optional(
      Type.Object({ find: rules, findOne: rules, create: rules, update: rules, delete: rules }, strict),
    ),
    /** The actions for which a caller must have logged in. */
    needsUser: Type.Optional(names),
  },
  strict,
)

export const configSchema = Type.Object(
  {
    /** Actions that code of v4 guards, and that are served all the same; or the name of a global middleware of v4. */
    unguarded: Type.Array(Type.String(), { default: [] }),
    /** Actions that answer 403, each with the reason, beside those that the files of the application say. */
    shut: Type.Optional(reasons),
    /** The same for GraphQL alone. */
    shutInGraphql: Type.Optional(reasons),
    /** The settings of v4's routers that need no code, by types, beside what the files of the application say. */
    routers: Type.Optional(Type.Record(Type.String(), router)),
  },
  strict,
)

export type Config = Static<typeof configSchema>
