// Configuration of v4 in the forms in which projects write it: each small project becomes an application whose settings a
// start reads. The tables have the files of a project and what the settings then are.

import t from 'tap'
import { make } from './fixtures/making.ts'
import { inJavaScript, inTypeScript } from './fixtures/v4-projects.ts'

type Files = Readonly<Record<string, string>>

interface Case {
  readonly is: string
  readonly files: Files
  /** What a start reads, by the names of files. */
  readonly reads?: Readonly<Record<string, unknown>>
  /** What a start must not read, by paths such as `plugins.email`. */
  readonly lacks?: readonly string[]
  /** Lines of the list. */
  readonly says?: readonly RegExp[]
  /** What no line of the list says. */
  readonly withholds?: readonly RegExp[]
  /** Packages that the application does not need. */
  readonly without?: readonly string[]
  /** Packages that it needs. */
  readonly needs?: readonly string[]
}

const pick = (files: Files, names: readonly string[]) =>
  Object.fromEntries(Object.entries(files).filter(([path]) => names.includes(path)))
const shared = ['package.json', '.env', 'tsconfig.json', 'src/components/shared/seo.json']
const api = 'src/api/book/content-types/book/schema.json'
const js = pick(inJavaScript, [...shared, api, 'config/server.js', 'config/database.js'])
const ts = pick(inTypeScript, [...shared, api, 'config/server.ts', 'config/database.ts'])

const withPackages = (files: Files, more: Files): string => {
  const { dependencies, ...rest } = JSON.parse(files['package.json']!) as { dependencies: object }
  return JSON.stringify({ ...rest, dependencies: { ...dependencies, ...more } })
}

const tidy = { graphql: { config: { depthLimit: 7 } } }

/** The same settings of plugins in many forms. */
const forms: readonly (readonly [string, string])[] = [
  ['an object', 'EXPORT { graphql: { config: { depthLimit: 7, landingPage: true } }, sitemap: { enabled: true } }'],
  [
    'a trailing comma and a comment',
    'EXPORT {\n  // of v4\n  sitemap: true, // gone\n  graphql: { config: { depthLimit: 7, }, },\n};\n',
  ],
  [
    'comments before commas',
    'EXPORT { sitemap: true /* a, b */, graphql: { config: { landingPage: 1 /* ) */, depthLimit: 7 } } /* end */ }',
  ],
  [
    'an arrow function',
    'EXPORT ({ env }) => ({ sitemap: env("X"), graphql: { config: { depthLimit: env.int("D", 7) } } })',
  ],
  ['a function that takes nothing', 'EXPORT () => ({ graphql: { config: { depthLimit: 7 } } })'],
  [
    'a function with a block',
    'EXPORT ({ env }) => { const depthLimit = 7; return { graphql: { config: { depthLimit } }, sitemap: {} } }',
  ],
  ['a classical function', 'EXPORT function ({ env }) { return { graphql: { config: { depthLimit: 7 } } } }'],
  ['an async function', 'EXPORT async ({ env }) => ({ graphql: { config: { depthLimit: await 7 } }, sitemap: true })'],
  ['a constant above', 'const settings = { graphql: { config: { depthLimit: 7 } }, sitemap: true }\nEXPORT settings'],
  [
    'constants of parts',
    'const graphql = { config: { depthLimit: 7, landingPage: true } }\nEXPORT ({ env }) => ({ graphql, sitemap: true })',
  ],
  [
    'a helper function',
    'const of = depthLimit => ({ config: { depthLimit, landingPage: true } })\nEXPORT { graphql: of(7), sitemap: true }',
  ],
  [
    'a spread of a constant',
    'const base = { sitemap: true }\nEXPORT { ...base, graphql: { config: { depthLimit: 7, cors: 1 } } }',
  ],
  [
    'a spread below',
    'const base = { depthLimit: 7, landingPage: true }\nEXPORT { graphql: { enabled: true, config: { ...base } } }',
  ],
  [
    'a condition',
    'EXPORT ({ env }) => ({ graphql: { config: { depthLimit: 7 } }, ...(env("NODE_ENV") === "x" ? {} : { sitemap: true }) })',
  ],
  [
    'two returns',
    'EXPORT ({ env }) => {\n  if (env("NODE_ENV") === "production") return { sitemap: true }\n  return { graphql: { config: { depthLimit: 7 } }, sitemap: true }\n}',
  ],
  [
    'an if around all',
    'EXPORT ({ env }) => { if (process.env.NODE_ENV) { return { graphql: { config: { depthLimit: 7 } }, sitemap: 1 } } return {} }',
  ],
  [
    'an assignment later',
    'const all = { graphql: { config: { depthLimit: 7 } } }\nall.sitemap = { enabled: true }\nEXPORT all',
  ],
  ['Object.assign', 'EXPORT Object.assign({ sitemap: true }, { graphql: { config: { depthLimit: 7 } } })'],
  [
    'keys in quotes and computed ones',
    'EXPORT { ["site" + "map"]: true, "graphql": { "config": { "depthLimit": 7 } } }',
  ],
  [
    'a plugin that is switched by a variable',
    'EXPORT ({ env }) => ({ graphql: { enabled: env.bool("G", true), config: { depthLimit: 7 } }, sitemap: env.bool("X") })',
  ],
  ['a process variable', 'EXPORT { graphql: { config: { depthLimit: Number(process.env.PLINTH_NO_SUCH ?? 7) } } }'],
]

const formCases: readonly Case[] = forms.flatMap(([is, text]) =>
  (['js', 'ts'] as const).flatMap(language => {
    const path = `config/plugins.${language}`
    const files = language === 'js' ? js : ts
    const head = language === 'js' ? 'module.exports =' : 'export default'
    const written = text.replace('EXPORT', head)
    const one = (what: string, content: string): Case => ({
      is: `${is}, in ${what}`,
      files: { ...files, [path]: content },
      reads: { plugins: tidy },
      lacks: ['plugins.sitemap', 'plugins.graphql.config.landingPage', 'plugins.graphql.config.cors'],
    })
    return [
      one(language, written),
      one(`${language} of Windows`, `\uFEFF${written.replaceAll('\n', '\r\n')}`),
      ...(language === 'ts' ? [one('TypeScript with module.exports', text.replace('EXPORT', 'module.exports ='))] : []),
    ]
  }),
)

const types: readonly Case[] = [
  ['satisfies', 'export default { graphql: { config: { depthLimit: 7 } } } satisfies object'],
  [
    'as const',
    'const plugins = { graphql: { config: { depthLimit: 7, playground: false } } } as const\nexport default plugins',
  ],
  ['export =', 'const plugins = { graphql: { config: { depthLimit: 7 } } }\nexport = plugins'],
  ['exports.default', 'exports.default = { graphql: { config: { depthLimit: 7 } } }'],
  ['export as default', 'const plugins = { graphql: { config: { depthLimit: 7 } } }\nexport { plugins as default }'],
  [
    'types of v4',
    "import type { Strapi } from '@strapi/strapi'\nimport { Common } from '@strapi/strapi'\nexport default ({ env }: { env: Strapi.Env }): Common.Plugins => ({ graphql: { config: { depthLimit: 7 } } }) as Common.Plugins",
  ],
  [
    'an own type, without the word type',
    "import { Plugins } from './types'\nconst all: Plugins = { graphql: { config: { depthLimit: 7 } } }\nexport default all",
  ],
  [
    'env of @strapi/utils',
    "import { env } from '@strapi/utils'\nexport default { graphql: { config: { depthLimit: env.int('NO_SUCH', 7) } } }",
  ],
  [
    'a name of a package of CommonJS',
    "import { merge } from 'lodash'\nexport default () => merge({ sitemap: true }, { graphql: { config: { depthLimit: 7 } } })",
  ],
].map(([is, text]) => ({
  is: `${is}, in TypeScript`,
  files: {
    ...ts,
    'package.json': withPackages(ts, { lodash: '^4' }),
    'config/plugins.ts': text!,
    'config/types.ts': 'export interface Plugins { readonly graphql: { readonly config: object } }\n',
  },
  ...(text!.includes('lodash') ? { needs: ['lodash'] } : { reads: { plugins: tidy } }),
}))

const server = { host: '0.0.0.0', port: 1337 }
const cron: readonly Case[] = [
  [
    'cron of a package',
    "const t = require('x-plugin/cron');\nmodule.exports = ({ env }) => ({ host: '0.0.0.0', port: 1337, cron: { enabled: true, tasks: t } });",
  ],
  [
    'cron of a member of a package',
    "const { cronTasks: tasks } = require('x-plugin');\nmodule.exports = { host: '0.0.0.0', cron: { enabled: true, tasks }, port: 1337 }",
  ],
  [
    'cron that is required in its place',
    "module.exports = { host: '0.0.0.0', port: 1337, cron: { enabled: true, tasks: { ...require('x-plugin/cron'), ...require('../src/cron') } } }",
  ],
  [
    'cron that is made of an import',
    "const make = require('x-plugin');\nconst tasks = make({ every: 5 });\nconst cron = { enabled: process.env.CRON !== 'no', tasks };\nmodule.exports = { host: '0.0.0.0', port: 1337, cron }",
  ],
  [
    'cron with functions that use strapi',
    "module.exports = { host: '0.0.0.0', port: 1337, cron: { enabled: true, tasks: { '0 * * * *': ({ strapi }) => { strapi.log.info('x'); } } } }",
  ],
  [
    'cron beside a spread',
    "const tasks = require('./cron-tasks');\nconst base = { host: '0.0.0.0' };\nmodule.exports = () => ({ ...base, port: 1337, cron: { enabled: true, tasks } })",
  ],
  ['cron as JSON', '{ "host": "0.0.0.0", "port": 1337, "cron": { "enabled": true } }'],
].map(([is, text]) => ({
  is: is!,
  files: {
    ...pick(js, [...shared, api, 'config/database.js']),
    'package.json': withPackages(js, { 'x-plugin': '1.0.0' }),
    [`config/server.${text!.startsWith('{') ? 'json' : 'js'}`]: text!,
    'config/cron-tasks.js': "module.exports = { '* * * * *': () => strapi.log.info('x') }",
  },
  reads: { server },
  lacks: ['server.cron'],
  says: [/config\/server\.js\w*: cron: no cron tasks are run/],
  without: ['x-plugin'],
}))

const helpers: readonly Case[] = [
  {
    is: 'a helper beside it, in TypeScript',
    files: {
      ...ts,
      'config/plugins.ts':
        "import { depthLimit } from './util'\nexport default { graphql: { config: { depthLimit } } }",
      'config/util.ts': "import base from './more'\nexport const depthLimit = base.depth\n",
      'config/more/index.ts': 'export default { depth: 7 }\n',
      'config/typescript.ts': 'export default { autogenerate: true }\n',
    },
    reads: { plugins: tidy },
    says: [/config\/typescript\.ts: is not read/],
    withholds: [/config\/util\.ts/],
  },
  {
    is: 'a helper of CommonJS, in TypeScript',
    files: {
      ...ts,
      'config/plugins.ts':
        "import { depthLimit } from './util'\nexport default { graphql: { config: { depthLimit } } }",
      'config/util.ts': "const more = require('./more');\nmodule.exports = { depthLimit: more.depth };\n",
      'config/more.js': 'module.exports = { depth: 7 };\n',
    },
    reads: { plugins: tidy },
  },
  {
    is: 'helpers that are required, in TypeScript',
    files: {
      ...ts,
      'config/plugins.ts':
        "const { depthLimit } = require('./util');\nmodule.exports = { graphql: { config: { depthLimit } } };",
      'config/util.ts': 'module.exports = { depthLimit: 7 };\n',
    },
    reads: { plugins: tidy },
  },
  {
    is: 'import = require, and JSON',
    files: {
      ...ts,
      'config/plugins.ts':
        "import util = require('./util')\nimport data from './data.json'\nexport default { graphql: { config: { depthLimit: util.one * data.seven } } }",
      'config/util.ts': 'export = { one: 1 }\n',
      'config/data.json': '{ "seven": 7 }',
    },
    reads: { plugins: tidy },
  },
  {
    is: 'a spread of another file',
    files: {
      ...js,
      'config/plugins.js':
        "module.exports = ({ env }) => ({ ...require('./shared/plugins')({ env }), graphql: { config: require('../limits') } })",
      'config/shared/plugins.js': 'module.exports = ({ env }) => ({ sitemap: { enabled: true } })',
      'limits.js': 'module.exports = { depthLimit: 7, landingPage: true }',
    },
    reads: { plugins: tidy },
    lacks: ['plugins.sitemap', 'plugins.graphql.config.landingPage'],
  },
  {
    is: 'a file of config/env that spreads the base',
    files: {
      ...js,
      'config/plugins.js': 'module.exports = { graphql: { config: { depthLimit: 9, landingPage: true } } }',
      'config/env/development/plugins.js':
        "module.exports = { ...require('../../plugins'), graphql: { config: { depthLimit: 7 } }, sitemap: { enabled: false } }",
    },
    reads: { plugins: tidy },
    lacks: ['plugins.sitemap'],
  },
  {
    is: 'a helper that uses strapi, and one that is not there',
    files: {
      ...js,
      'config/database.js':
        "const url = require('./url');\nconst none = require('./none');\nmodule.exports = { connection: { client: 'sqlite', connection: { filename: url() } } }",
      'config/url.js': 'module.exports = () => strapi.config.get("x")',
    },
    says: [
      /config\/database\.js: imports \.\/url, which uses `strapi`/,
      /config\/database\.js: imports \.\/none, which is not taken along: copy it/,
    ],
  },
  {
    is: 'a helper that is no program',
    files: {
      ...js,
      'config/database.js':
        "const url = require('./url');\nmodule.exports = { connection: { client: 'sqlite', connection: { filename: url } } }",
      'config/url.js': 'module.exports = (',
    },
    says: [/config\/database\.js: imports \.\/url, which cannot be read: .*\(1:18\)/],
  },
]

const databaseForms: readonly (readonly [string, string, string])[] = [
  ['js', "path.join(__dirname, '..', env('F', 'a.db'))", 'a.db'],
  ['js', "path.join(__dirname, '../', '.tmp/data.db',)", '.tmp/data.db'],
  ['js', "path.resolve(__dirname, '..', '.tmp', 'data.db')", '.tmp/data.db'],
  ['js', "path.join(\n  __dirname,\n  '..',\n  env('F', '.tmp/data.db'),\n)", '.tmp/data.db'],
  ['ts', "path.join(__dirname, '..', '..', env('F', 'a.db'),)", 'a.db'],
  [
    'ts',
    "path.join(\n        __dirname,\n        '..',\n        '..',\n        env('F', '.tmp/data.db'),\n      )",
    '.tmp/data.db',
  ],
  ['ts', "path.join(__dirname, '../..', '.tmp/data.db')", '.tmp/data.db'],
  ['ts', "path.join(__dirname, '..', '.tmp/data.db')", 'dist/.tmp/data.db'],
]

const databases: readonly Case[] = databaseForms.flatMap(([language, file, filename]) => {
  const files = language === 'js' ? js : ts
  const text = `({ env }) => ({ connection: { client: 'sqlite', connection: { filename: ${file} }, useNullAsDefault: true, }, })`
  const head =
    language === 'js' ? "const path = require('path');\nmodule.exports = " : "import path from 'path';\nexport default "
  return [text, text.replaceAll('\n', '\r\n')].map(one => ({
    is: `${language}: ${file}`,
    files: { ...files, [`config/database.${language}`]: `${head}${one};\n` },
    reads: {
      database: { connection: { connection: { filename: new RegExp(`(^|new/)${filename.replaceAll('.', '\\.')}$`) } } },
    },
  }))
})

const others: readonly Case[] = [
  {
    is: 'a database that is only there in development',
    files: {
      ...js,
      'config/database.js':
        "module.exports = ({ env }) => {\n  if (env('NODE_ENV') === 'development') return { connection: { client: 'sqlite', connection: { filename: 'a.db' } } }\n}",
    },
    reads: { database: { connection: { connection: { filename: 'a.db' } } } },
  },
  {
    is: 'cors with a variable that is not set',
    files: {
      ...js,
      'config/middlewares.js':
        "module.exports = ['strapi::errors', { name: 'strapi::cors', config: { origin: ['https://a.example', process.env.NO_SUCH_ORIGIN] } }]",
    },
    reads: { plugins: { rest: { config: { cors: { origin: ['https://a.example', undefined] } } } } },
  },
  {
    is: 'middlewares with a constant above, and a function',
    files: {
      ...js,
      'config/middlewares.js':
        "const origins = ['https://a.example'];\nmodule.exports = ({ env }) => [\n  { name: 'strapi::cors', config: { enabled: true, origin: origins } },\n  { name: 'strapi::body', config: { jsonLimit: env('JSON', '2mb'), patchNode: true } },\n  { name: 'strapi::security', config: {} },\n]",
    },
    reads: {
      plugins: {
        rest: { config: { entryMeta: 'never', cors: { origin: ['https://a.example'] }, body: { jsonLimit: '2mb' } } },
      },
    },
    lacks: ['plugins.rest.config.cors.enabled', 'plugins.rest.config.body.patchNode'],
    says: [/config\/middlewares\.js: is made by code/],
  },
  {
    is: 'middlewares that are spread, in TypeScript',
    files: {
      ...ts,
      'config/plugins.ts': 'export default { graphql: { config: { depthLimit: 7 } } }',
      'config/middlewares.ts': "import { base } from './base'\nexport default [...base, 'strapi::body'] as const",
      'config/base.ts':
        "export const base = ['strapi::errors', { name: 'strapi::cors', config: { origin: 'https://a.example' } }]",
    },
    reads: { plugins: { ...tidy, rest: { config: { cors: { origin: 'https://a.example' } } } } },
  },
  {
    is: 'middlewares without cors, and those of an environment',
    files: {
      ...js,
      'config/middlewares.js': "module.exports = ['strapi::errors', { name: 'strapi::body' }]",
      'config/env/development/middlewares.js':
        "module.exports = ['strapi::errors', { name: 'strapi::cors', config: { origin: 'https://dev.example' } }]",
    },
    reads: { plugins: { rest: { config: { entryMeta: 'never', cors: { origin: 'https://dev.example' } } } } },
  },
  {
    is: 'strapi within settings that stay',
    files: {
      ...js,
      'config/api.js':
        "module.exports = { rest: { defaultLimit: 20 }, responses: { privateAttributes: [] } };\nif (global.strapi) strapi.log.info('x')",
    },
    reads: { api: { rest: { defaultLimit: 20 } } },
    says: [/config\/api\.js: uses `strapi` or its packages, which are not there/],
  },
  {
    is: 'lifecycles of CommonJS, in TypeScript',
    files: {
      ...ts,
      'src/api/book/content-types/book/lifecycles.ts':
        "const { randomUUID } = require('node:crypto');\nmodule.exports = {\n  beforeCreate(event: { params: { data: { title?: string } } }) { event.params.data.title ??= randomUUID(); },\n};\n",
    },
  },
]

/** The packages of a project without the plugin for users. */
const withoutUsers = JSON.stringify({
  name: 'library',
  dependencies: { '@strapi/strapi': '4.25.9', 'better-sqlite3': '8.6.0' },
})
const withPin = (files: Files): Files => ({
  ...files,
  [api]: files[api]!.replace('"title"', '"pin": { "type": "password" },\n    "title"'),
})

const passwords: readonly Case[] = [
  {
    is: 'a password, and no users',
    files: { ...withPin(js), 'package.json': withoutUsers },
    reads: { plugins: { passwords: true } },
    needs: ['@plinth/passwords'],
  },
  {
    is: 'a password, and users, who bring the plugin',
    files: withPin(js),
    reads: { plugins: { 'users-permissions': true } },
    lacks: ['plugins.passwords'],
    without: ['@plinth/passwords'],
  },
  {
    is: 'neither passwords nor users',
    files: { ...js, 'package.json': withoutUsers },
    lacks: ['plugins.passwords', 'plugins.users-permissions'],
    without: ['@plinth/passwords', '@plinth/users-permissions'],
  },
]

const mails: readonly Case[] = [
  {
    is: 'sendgrid',
    files: {
      ...js,
      'package.json': withPackages(js, { '@strapi/provider-email-sendgrid': '4.25.9' }),
      'config/plugins.js':
        "module.exports = ({ env }) => ({\n  email: { config: { provider: 'sendgrid', providerOptions: { apiKey: env('KEY', 'k') }, settings: { defaultFrom: 'a@b.example', defaultReplyTo: 'c@d.example', testAddress: 'e@f.example' } } },\n  'users-permissions': { config: { jwt: { expiresIn: '7d' } } },\n})",
    },
    reads: {
      plugins: {
        email: {
          config: {
            provider: 'sendgrid',
            providerOptions: { apiKey: 'k' },
            settings: { defaultFrom: 'a@b.example', defaultReplyTo: 'c@d.example', testAddress: 'e@f.example' },
          },
        },
        'users-permissions': { config: { jwt: { expiresIn: '7d' } } },
      },
    },
    lacks: ['plugins.users-permissions.config.email'],
    needs: ['@plinth/email', '@strapi/provider-email-sendgrid'],
    says: [/config\/plugins\.js: email: .*kernel\.plugin\('email'\)\.service\('email'\)\.send/],
  },
  {
    is: 'nodemailer, in TypeScript, and no settings of users',
    files: {
      ...ts,
      'package.json': withPackages(ts, { '@strapi/provider-email-nodemailer': '4.25.9' }),
      'config/plugins.ts':
        "export default ({ env }) => ({ email: { config: { provider: 'nodemailer', providerOptions: { host: env('SMTP_HOST', 'smtp.example'), port: 587 }, settings: { defaultFrom: 'a@b.example' }, actions: 1 } } })",
    },
    reads: {
      plugins: {
        email: {
          config: {
            provider: 'nodemailer',
            providerOptions: { host: 'smtp.example', port: 587 },
            settings: { defaultFrom: 'a@b.example' },
          },
        },
      },
    },
    lacks: ['plugins.email.config.actions'],
    needs: ['@plinth/email', 'nodemailer'],
    without: ['@strapi/provider-email-nodemailer'],
  },
  {
    is: 'mailgun, whose name is chosen by code',
    files: {
      ...js,
      'package.json': withPackages(js, { 'strapi-provider-email-mailgun': '^4.1.0' }),
      'config/plugins.js':
        "module.exports = ({ env }) => ({ email: { config: { provider: env('MAIL', 'mailgun'), providerOptions: { key: 'k' }, settings: { defaultFrom: 'a@b.example' } } }, 'users-permissions': true, upload: { config: { sizeLimit: 5 } } })",
    },
    reads: {
      plugins: {
        upload: { config: { sizeLimit: 5 } },
        email: {
          config: { provider: 'mailgun', providerOptions: { key: 'k' }, settings: { defaultFrom: 'a@b.example' } },
        },
      },
    },
    lacks: ['plugins.users-permissions.config.email'],
    needs: ['@plinth/email', 'strapi-provider-email-mailgun'],
  },
  {
    is: 'mails of an environment',
    files: {
      ...js,
      'package.json': withPackages(js, { '@strapi/provider-email-amazon-ses': '4.25.9' }),
      'config/env/development/plugins.js':
        "module.exports = { email: { config: { provider: 'amazon-ses', providerOptions: { key: 'k' } } } }",
    },
    reads: { plugins: { email: { config: { provider: 'amazon-ses', providerOptions: { key: 'k' } } } } },
    needs: ['@plinth/email', '@strapi/provider-email-amazon-ses'],
  },
  {
    is: 'a provider in a folder of the project',
    files: {
      ...js,
      'package.json': withPackages(js, { 'strapi-provider-email-outbox': 'file:providers/outbox' }),
      'providers/outbox/package.json': '{ "name": "strapi-provider-email-outbox", "version": "1.0.0" }',
      'providers/outbox/index.js': 'module.exports = { init: () => ({ send: async () => {} }) }',
      'config/plugins.js': "module.exports = { email: { config: { provider: 'outbox' } } }",
    },
    reads: { plugins: { email: { config: { provider: 'outbox' } } } },
    needs: ['@plinth/email', 'strapi-provider-email-outbox'],
  },
  {
    is: 'providers that are not installed, and sendmail',
    files: {
      ...js,
      'config/plugins.js': "module.exports = { email: { config: { provider: 'postmark', providerOptions: {} } } }",
    },
    reads: { plugins: { 'users-permissions': true } },
    lacks: ['plugins.email'],
    says: [/email: its provider postmark is not a dependency of the project: install it/],
  },
]

const at = (value: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((inner, name) => (inner as Record<string, unknown> | undefined)?.[name], value)

for (const [title, cases] of Object.entries({ formCases, types, cron, helpers, databases, others, passwords, mails }))
  t.test(title, async t => {
    for (const { is, files, reads = {}, lacks = [], says = [], withholds = [], needs = [], without = [] } of cases) {
      const made = await make(t, files)
      const list = made.left.join('\n')
      for (const [name, expected] of Object.entries(reads)) t.match(await made.config(name), expected, is)
      for (const path of lacks) {
        const [name = '', ...rest] = path.split('.')
        t.equal(at(await made.config(name), rest.join('.')), undefined, `${is}: ${path}`)
      }
      for (const line of says) t.match(list, line, is)
      for (const line of withholds) t.notMatch(list, line, is)
      for (const name of needs) t.ok(Object.hasOwn(made.dependencies, name), `${is}: needs ${name}`)
      for (const name of without) t.notOk(Object.hasOwn(made.dependencies, name), `${is}: does not need ${name}`)
    }
  })

t.test('lifecycles of TypeScript run as modules', async t => {
  const files = others.at(-1)!.files
  const made = await make(t, files)
  const { default: lifecycles } = (await import(`${made.dir}/src/api/book/content-types/book/lifecycles.ts`)) as {
    default: { beforeCreate(event: object): void }
  }
  const event: { params: { data: { title?: string } } } = { params: { data: {} } }
  lifecycles.beforeCreate(event)
  t.match(event.params.data.title, /^[\w-]{36}$/)
})

t.test('a file that cannot be read is one line with its path', async t => {
  const broken = 'module.exports = {'
  const cases: readonly (readonly [Files, RegExp])[] = [
    [{ 'config/server.js': broken }, /config\/server\.js cannot be read: .*\(1:18\)/],
    [{ 'config/database.js': broken }, /config\/database\.js cannot be read/],
    [{ 'config/plugins.js': broken }, /config\/plugins\.js cannot be read/],
    [{ 'config/middlewares.js': broken }, /config\/middlewares\.js cannot be read/],
    [{ 'config/admin.js': broken }, /config\/admin\.js cannot be read/],
    [{ 'config/api.js': broken }, /config\/api\.js cannot be read/],
    [{ 'config/env/production/server.js': broken }, /config\/env\/production\/server\.js cannot be read/],
    [{ 'config/api.json': '{ "rest": ' }, /config\/api\.json cannot be read/],
    [{ 'config/plugins.json': '{ "rest": ' }, /config\/plugins\.json cannot be read/],
    [{ 'package.json': '{ "dependencies": ' }, /package\.json is not valid JSON/],
    [{ 'package.json': 'null' }, /is not a Strapi project/],
  ]
  for (const [files, message] of cases) {
    const error = await make(t, { ...js, ...files }).catch((thrown: Error) => thrown)
    t.match(error, { message }, String(message))
    t.notMatch((error as Error).message, /\n/)
  }
})
