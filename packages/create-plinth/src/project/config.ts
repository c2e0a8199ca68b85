// The files in config/ of a new application.

import type { Choices, Language } from '../choices.ts'
import type { Files } from './files-by-path.ts'
import { studioAddress } from './studio.ts'

export function configFiles(choices: Choices): Files {
  const { language, database } = choices
  return {
    [`config/server.${language}`]: file(
      language,
      '// The address of the server: on this machine only, unless HOST is set.',
      "({ host: env('HOST', '127.0.0.1'), port: env.int('PORT', 1337) })",
    ),
    [`config/database.${language}`]: file(
      language,
      database === 'sqlite'
        ? '// The database of the content. The first start makes the file.'
        : '// The database of the content. `.env` has its address and the password.',
      database === 'sqlite' ? sqlite : server(database),
    ),
    [`config/plugins.${language}`]: pluginsFile(choices),
  }
}

/** A file that exports a function of `env`. */
function file(language: Language, comment: string, value: string): string {
  const isTs = language === 'ts'
  const head = isTs ? `${comment}\n\nimport type { Env } from '@plinth/kernel'\n` : `${comment}\n`
  return `${head}\nexport default (${isTs ? '{ env }: { readonly env: Env }' : '{ env }'}) => ${value}\n`
}

const sqlite = `({
  connection: { client: 'sqlite', connection: { filename: env('DATABASE_FILENAME', '.data/plinth.db') } },
})`

const server = (client: string) => `({
  connection: {
    client: '${client}',
    connection: {
      host: env('DATABASE_HOST', '127.0.0.1'),
      port: env.int('DATABASE_PORT', ${client === 'mysql' ? 3306 : 5432}),
      database: env('DATABASE_NAME'),
      user: env('DATABASE_USERNAME'),
      password: env('DATABASE_PASSWORD'),
    },
  },
})`

function pluginsFile({ language, plugins }: Choices): string {
  const media = plugins.has('upload')
    ? ["'plugin::upload.content-api.find'", "'plugin::upload.content-api.findOne'"]
    : []
  const reading = ["'api::article.article.find'", "'api::article.article.findOne'", ...media]
  const writing = [
    "'api::article.article.create'",
    ...(plugins.has('upload') ? ["'plugin::upload.content-api.upload'"] : []),
    "'plugin::users-permissions.user.me'",
    "'plugin::users-permissions.auth.changePassword'",
  ]
  const lines = [
    '  rest: true,',
    ...(plugins.has('graphql') ? ['  graphql: true,'] : []),
    ...(plugins.has('draft-publish') ? [draftPublish(plugins)] : []),
    ...(plugins.has('custom-fields') ? ["  'custom-fields': true,"] : []),
    ...(plugins.has('passwords') ? ['  passwords: true,'] : []),
    ...(plugins.has('email') ? ['  email: true,'] : []),
    ...(plugins.has('i18n') ? ["  i18n: { config: { locales: ['en', 'fr'], defaultLocale: 'en' } },"] : []),
    ...(plugins.has('api-tokens') ? ["  'api-tokens': true,"] : []),
    ...(plugins.has('upload') ? ["  upload: { config: { folder: env('UPLOAD_FOLDER', '.data/uploads') } },"] : []),
    ...(plugins.has('studio') ? studioPlugins : []),
    ...(plugins.has('users-permissions') ? permissions(plugins) : []),
  ]
  const lists = plugins.has('users-permissions')
    ? `\n${list('reading', 'Everybody reads articles.', reading)}\n${list('writing', 'Whoever has logged in writes them too. No role inherits from another one.', writing)}${plugins.has('studio') ? `\n${editingLists(plugins)}` : ''}`
    : ''
  const parameter = plugins.has('upload') ? (language === 'ts' ? '{ env }: { readonly env: Env }' : '{ env }') : ''
  const imported = language === 'ts' && plugins.has('upload') ? '{ definePlugins, type Env }' : '{ definePlugins }'
  return `// The plugins, with their settings.

import ${imported} from '@plinth/kernel'
${lists}
export default definePlugins((${parameter}) => ({
${lines.join('\n')}
}))
`
}

/** The panel, and what it needs beside the content: the model, versions of entries, and free values of uids. */
const studioPlugins = [
  "  'content-type-builder': true,",
  "  'entry-versions': true,",
  '  slugs: true,',
  `  // ${studioAddress}`,
  '  studio: true,',
]

function permissions(plugins: Choices['plugins']): readonly string[] {
  if (!plugins.has('studio'))
    return [
      "  'users-permissions': {",
      '    config: { permissions: { public: reading, authenticated: [...reading, ...writing] } },',
      '  },',
    ]
  return [
    "  'users-permissions': {",
    '    config: {',
    '      permissions: {',
    '        public: reading,',
    '        authenticated: [...reading, ...writing],',
    "        editor: [...editing, 'api::*'],",
    "        author: [...editing, 'api::article.article.create', 'api::article.article.update'],",
    '      },',
    ...(plugins.has('draft-publish') ? authorRules : []),
    '    },',
    '  },',
  ]
}

const authorRules = [
  '      rules: {',
  '        // Authors write, editors publish.',
  '        author: [',
  "          { action: 'api::article.article.create', fields: ['publishedAt'] },",
  "          { action: 'api::article.article.update', fields: ['publishedAt'] },",
  '        ],',
  '      },',
]

/** The rights of both roles of the studio. */
function editingLists(plugins: Choices['plugins']): string {
  return list('editing', 'Roles of the studio see the model, their own rights and drafts.', [
    '...reading',
    "'plugin::content-type-builder.content-types.getContentTypes'",
    "'plugin::content-type-builder.components.getComponents'",
    "'plugin::content-type-builder.rights.getRights'",
    "'plugin::slugs.slugs.*'",
    "'plugin::users-permissions.user.me'",
    "'plugin::users-permissions.auth.changePassword'",
    ...(plugins.has('upload') ? ["'plugin::upload.content-api.*'"] : []),
    ...(plugins.has('i18n') ? ["'plugin::i18n.locales.listLocales'"] : []),
    ...(plugins.has('draft-publish') ? ["'plugin::draft-publish.entries.preview'"] : []),
  ])
}

function list(name: string, comment: string, members: readonly string[]): string {
  return `/** ${comment} */\nconst ${name} = [\n${members.map(one => `  ${one},\n`).join('')}]\n`
}

/**
 * Writes the settings of drafts: where roles have rights, drafts are for those who have the right to them. With the studio,
 * what authors write begins as a draft.
 */
function draftPublish(plugins: Choices['plugins']): string {
  if (plugins.has('studio')) return "  'draft-publish': { config: { previewFor: 'permitted', create: 'draft' } },"
  return plugins.has('users-permissions')
    ? "  'draft-publish': { config: { previewFor: 'permitted' } },"
    : "  'draft-publish': true,"
}
