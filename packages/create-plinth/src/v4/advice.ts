// Explains what becomes of each part of a v4 project that is not taken along, and what its owner can do.

import { factsOf, type LocalPlugin } from '@plinth/v4/plugins'

/** For files of config/, by their names. */
const ofConfig: Readonly<Record<string, string>> = {
  admin: "is of v4's administration panel, which Plinth does not have; the salt of tokens is in .env",
  logger: 'is not read: LOG_LEVEL in .env sets the level of the log',
  middlewares: 'is read in config/ itself only: write its settings below rest.config of config/plugins',
  'cron-tasks': 'has cron tasks, which are not run: make each a program with createKernel, and let cron run it',
  cron: 'has cron tasks, which are not run: make each a program with createKernel, and let cron run it',
  functions: 'has functions of v4, which are not run: write them again in src/index',
}

export const configAdvice = (name: string): string =>
  ofConfig[name] ?? 'is not read: code that needs its settings imports a file of its own'

/** For settings of config/server. */
const ofServer: Readonly<Record<string, string>> = {
  cron: 'no cron tasks are run: make each a program with createKernel, and let cron run it',
  dirs: 'has no effect: the setting folder of upload names the folder of local files',
  admin: "has no effect: v4's administration panel is not there",
  socket: 'has no effect: write host and port instead',
}

export const serverAdvice = (name: string): string => ofServer[name] ?? 'has no effect, and can be removed'

/** For settings of plugins in config/plugins; what a plugin adds is said of its package. */
export const pluginAdvice = 'its settings are not taken along, because Plinth has no plugin of this name'

/** For extensions of the schemas of a plugin. */
export const extensionAdvice = (name: string): string => {
  const facts = factsOf(name)
  return `of the plugin ${name}, which Plinth does not have${facts === null ? '' : `; ${facts.here}`}`
}

/** For a plugin below src/plugins. */
export function localAdvice({ name, types, routes: all }: LocalPlugin): string {
  const routes = all.filter(one => one.type !== 'admin')
  const has = [
    ...(types.length === 0
      ? []
      : [`its content types ${types.map(one => `${one.uid} (table ${one.table})`).join(', ')}`]),
    ...(routes.length === 0
      ? []
      : [
          `its ${routes.length} ${routes.length === 1 ? 'route' : 'routes'} (${routes.map(one => `${one.method} ${one.type === null ? '' : one.prefix}${one.path}`).join(', ')})`,
        ]),
  ]
  const lost = has.length === 0 ? '' : `; ${has.join(' and ')} are not served`
  return `the plugin ${name} for v4, which is not run: write it again as a plugin of Plinth${lost}`
}

/** For middlewares of v4. */
const ofMiddlewares: Readonly<Record<string, string>> = {
  'strapi::security': 'rest.config.securityHeaders of config/plugins switches these headers off as a whole',
  'strapi::poweredBy': 'write rest.config.poweredBy of config/plugins instead',
  'strapi::public': 'files are served by the web server in front, but for uploads',
  'strapi::session': 'there are no sessions',
  'strapi::compression': 'the web server in front compresses answers',
}

export const middlewareAdvice = (name: string): string => ofMiddlewares[name] ?? 'Plinth has no such settings'

/** For code, by the path of its file. */
export function codeAdvice(path: string): string {
  if (path === 'src/index.js' || path === 'src/index.ts')
    return 'register and bootstrap are not run: write them again in src/index, where they are given `kernel` and not `strapi`'
  const advice = ofCode.find(([pattern]) => pattern.test(path))
  return advice?.[1] ?? 'code for v4, which is not run: copy it, if it does without `strapi`'
}

const ofCode: readonly (readonly [RegExp, string])[] = [
  [/^src\/admin\//, "is of v4's administration panel, which Plinth does not have: editors can work in @plinth/studio"],
  [/^src\/extensions\//, 'code of an extension, which is not run: write it again as hooks or routes in src/index'],
  [/\/controllers\//, 'a custom controller, which is not run: write what it adds as a route or a hook in src/index'],
  [/\/services\//, 'a custom service, which is not run: write its functions again, with kernel.query'],
  [
    /\/routes\//,
    'custom routes, which are not run: add them in src/index, and set policies and auth by kernel.actions.set',
  ],
  [/\/policies\//, 'a policy: copy it, let it use `kernel` instead of `strapi`, and name it by kernel.actions.set'],
  [/\/middlewares\//, 'a middleware, which is not run: write it again as a hook of Fastify in src/index'],
  [/^database\/migrations\//, 'a migration that v4 has run; those of Plinth have another form'],
]
