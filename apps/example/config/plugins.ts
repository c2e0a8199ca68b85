// The enabled plugins, and what callers may do. If a plugin is removed, together with the lines that name its actions and
// attributes, the server still starts, without its attributes, parameters and routes. The studio needs REST and users.

import { definePlugins, type Env } from '@plinth/kernel'

const collections = [
  'article',
  'author',
  'category',
  'comment',
  'correction',
  'desk',
  'dossier',
  'issue',
  'page',
  'tag',
]

/** Everybody reads what is published. */
const reading = [
  ...collections.flatMap(name => [`api::${name}.${name}.find`, `api::${name}.${name}.findOne`]),
  'api::homepage.homepage.find',
  'plugin::i18n.locales.listLocales',
  // Of pictures, also those of what is populated.
  'plugin::upload.content-api.find',
  'plugin::upload.content-api.findOne',
]

const account = ['plugin::users-permissions.user.me', 'plugin::users-permissions.auth.changePassword']

/** What the studio asks for beside entries: the model, and who is logged in. */
const studio = [
  'plugin::content-type-builder.content-types.getContentTypes',
  'plugin::content-type-builder.components.getComponents',
  'plugin::content-type-builder.rights.getRights',
  'plugin::slugs.slugs.generate',
  'plugin::slugs.slugs.checkAvailability',
  ...account,
]

/** Notes of editors are for editors. */
const withoutNotes = { action: 'api::article.article.find', fields: ['editorsNote'] }

/** What src/index.ts sets in a comment, and what only editors change. */
const closed = ['name', 'email', 'postedAt', 'likes', 'replies']
const mine = { author: { id: '$user.id' } }

export default definePlugins(({ env }: { readonly env: Env }) => ({
  rest: true,
  graphql: true,
  // What an author makes is a draft: others publish it.
  'draft-publish': { config: { create: 'draft', previewFor: 'permitted' } },
  i18n: { config: { locales: ['en', 'fr', 'de'], defaultLocale: 'en' } },
  'api-tokens': true,
  // Authors have a password. With users-permissions it is hashed as those of users are.
  passwords: true,
  'content-type-builder': true,
  // No editor overwrites unseen what another one has saved. The studio needs it.
  'entry-versions': true,
  // Free values of slugs, for the studio.
  slugs: true,
  // v4 has files in the folder public; here they are beside the database.
  upload: { config: { folder: env('UPLOAD_FOLDER', '.data/uploads'), allowedTypes: ['image/*', 'video/*'] } },
  'users-permissions': {
    config: {
      // No role inherits from another one.
      permissions: {
        public: reading,
        authenticated: [...reading, ...account, 'api::comment.comment.*'],
        // Writes articles, which others publish.
        author: [
          ...reading,
          ...studio,
          'api::article.article.create',
          'api::article.article.update',
          'plugin::upload.content-api.upload',
          'plugin::draft-publish.entries.preview',
        ],
        // Decides who edits.
        administrator: [
          ...reading,
          ...studio,
          'plugin::users-permissions.user.*',
          'plugin::users-permissions.role.*',
          'plugin::users-permissions.permissions.getPermissions',
          'plugin::api-tokens.tokens.manage',
        ],
        editor: [
          ...reading,
          ...studio,
          'api::*',
          'plugin::upload.content-api.*',
          'plugin::upload.folder.*',
          // To see drafts, by `publicationState=preview`.
          'plugin::draft-publish.entries.preview',
        ],
      },
      rules: {
        public: [withoutNotes],
        author: [
          { action: 'api::article.article.create', fields: ['publishedAt', 'publishedOn'] },
          { action: 'api::article.article.update', fields: ['publishedAt', 'publishedOn'] },
        ],
        authenticated: [
          withoutNotes,
          // A comment is on a published article and stays there, and only its writer changes it.
          { action: 'api::comment.comment.create', fields: closed },
          { action: 'api::comment.comment.create', where: { article: { publishedAt: { $notNull: true } } } },
          { action: 'api::comment.comment.update', where: mine, fields: [...closed, 'article', 'replyTo'] },
          { action: 'api::comment.comment.delete', where: mine },
        ],
      },
    },
  },
  // The panel in which editors work: http://localhost:1337/studio
  studio: {
    config: {
      title: 'The magazine',
      types: {
        'api::article.article': {
          layout: [['title'], ['slug', 'kind'], ['standfirst'], ['body']],
          columns: ['title', 'cover', 'kind', 'author', 'publishedAt', 'locale', 'updatedAt'],
          // The page of apps/site, as `npx pnpm@10 --filter site dev` serves it.
          preview: `${env('SITE_URL', 'http://localhost:5173')}/#/articles/{slug}?locale={locale}`,
        },
        'api::comment.comment': { mainField: 'text', group: 'Readers' },
        'api::correction.correction': { group: 'Readers' },
      },
    },
  },
}))
